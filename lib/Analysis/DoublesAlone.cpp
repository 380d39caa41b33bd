// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Analyses.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

static bool isOtherFloat(const Type *Ty) {
  Ty = Ty->getScalarType();
  return Ty->isFloatingPointTy() && !Ty->isDoubleTy();
}

/// A double that may stand off the grid of words.
static bool movesUnaligned(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  auto *Store = dyn_cast<StoreInst>(&I);
  const Type *Ty = Load    ? Load->getType()
                   : Store ? Store->getValueOperand()->getType()
                           : nullptr;
  return Ty && Ty->getScalarType()->isDoubleTy() &&
         (Load ? Load->getAlign() : Store->getAlign()) < 8;
}

bool hasDoublesAlone(const Module &M) {
  return none_of(M, [](const Function &F) {
    return !isOwn(F) && any_of(instructions(F), [](const Instruction &I) {
      return isOtherFloat(I.getType()) || movesUnaligned(I) ||
             any_of(I.operands(),
                    [](const Use &Op) { return isOtherFloat(Op->getType()); });
    });
  });
}

} // namespace adze
