// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats at places that only the run knows: in a buffer of bytes, behind an
// address that need not be a multiple of their size. Nobody can tell while
// compiling whether a number that is written to such a buffer cuts one. So what
// runs forward keeps marks (Runtime/PlacedFloats.c): who stores such a float,
// writes something else or copies a block there tells, and who reads such a
// float asks. One that was overwritten in part since ends the program.
#ifndef ADZE_PLACEDFLOATS_H
#define ADZE_PLACEDFLOATS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace adze {

struct Facts;

/// Emits, behind the copy of the primal's \p I, what it tells or asks, if
/// anything. \p Primal gives the copies of values.
void markPlacedFloats(
    const llvm::Instruction &I, const Facts &F, llvm::IRBuilder<> &B,
    llvm::function_ref<llvm::Value *(const llvm::Value *)> Primal);

} // namespace adze
#endif
