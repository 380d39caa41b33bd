// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the dual of an integer is to be believed. Where an integer is moved
// about, its dual comes along; if it is an address, that is the shadow's. If it
// is a number that lay beside addresses in memory, its dual is what the shadow
// of that memory happens to hold.
#ifndef ADZE_ADDRESSDUAL_H
#define ADZE_ADDRESSDUAL_H

#include "adze/Facts.h"

namespace adze {

enum class AddressDual {
  Exact,  // of an address, or computed from such: where that is a number in
          // truth, its dual is that number
  Chance, // of a number
  Unclear
};

/// Of an integer \p V with a shadow.
AddressDual addressDualOf(const llvm::Value &V, const Facts &F);

} // namespace adze
#endif
