// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What few bits of an address are: a mark, or the distance to an aligned place.
// That is a number, and leads nowhere.
#ifndef ADZE_ADDRESSMARKS_H
#define ADZE_ADDRESSMARKS_H

#include <cstdint>

namespace llvm {
class Instruction;
} // namespace llvm

namespace adze {

/// The largest mark.
constexpr uint64_t MaxAddressMark = 0xffff;

/// Whether \p I keeps so few low bits, whatever its operand is: a mask or a
/// remainder by a constant.
bool isAddressMark(const llvm::Instruction &I);

/// Whether \p I is how far an integer was moved by constants, `(p & -8) - p`.
/// That is a number, be the integer an address or not.
bool isMovedDistance(const llvm::Instruction &I);

} // namespace adze
#endif
