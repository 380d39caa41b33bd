// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How shadow memory is aligned.
#ifndef ADZE_SHADOWALIGN_H
#define ADZE_SHADOWALIGN_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <algorithm>

namespace adze {

/// The alignment of the shadow of what \p Access, a load or store, accesses.
/// Programs align blocks, and find the first aligned element of an array, by
/// arithmetic on addresses that the shadow does not have: it is aligned as its
/// elements have to be.
inline llvm::Align shadowAlign(const llvm::Instruction &Access) {
  auto *Load = llvm::dyn_cast<llvm::LoadInst>(&Access);
  auto *Store =
      llvm::cast_if_present<llvm::StoreInst>(Load ? nullptr : &Access);
  llvm::Type *Ty = Load ? Load->getType() : Store->getValueOperand()->getType();
  return std::min(
      Load ? Load->getAlign() : Store->getAlign(),
      Access.getModule()->getDataLayout().getABITypeAlign(Ty->getScalarType()));
}

} // namespace adze

#endif
