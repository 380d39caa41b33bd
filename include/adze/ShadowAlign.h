// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How shadow memory is aligned.
#ifndef ADZE_SHADOWALIGN_H
#define ADZE_SHADOWALIGN_H

#include "llvm/Support/Alignment.h"
#include <algorithm>

namespace adze {

/// The alignment of the shadow of an access with alignment \p Primal. A program
/// that aligns what malloc returned has computed with the address of its own
/// block; the shadow is as far from the start of another block, which is
/// aligned as malloc does it.
inline llvm::Align shadowAlign(llvm::Align Primal) {
  const llvm::Align OfMalloc(16);
  return std::min(Primal, OfMalloc);
}

} // namespace adze

#endif
