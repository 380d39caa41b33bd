// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AddressMarks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

bool adze::isAddressMark(const Instruction &I) {
  auto *C = I.isBinaryOp() ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
  if (!C)
    return false;
  switch (I.getOpcode()) {
  case Instruction::And:
    return C->getValue().ule(MaxAddressMark);
  case Instruction::URem:
  case Instruction::SRem:
    return C->getValue().ule(MaxAddressMark + 1);
  default:
    return false;
  }
}

/// The integer from which \p V is a constant, or a constant mask, away.
static const Value *origin(const Value *V) {
  constexpr unsigned MaxSteps = 8;
  for (unsigned N = 0; N < MaxSteps; ++N) {
    auto *I = dyn_cast<BinaryOperator>(V);
    if (!I || !isa<ConstantInt>(I->getOperand(1)))
      break;
    switch (I->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
      break;
    case Instruction::And:
      if (!adze::isAddressMark(*I))
        break;
      return V;
    default:
      return V;
    }
    V = I->getOperand(0);
  }
  return V;
}

bool adze::isMovedDistance(const Instruction &I) {
  if (I.getOpcode() != Instruction::Sub)
    return false;
  const Value *From = origin(I.getOperand(0));
  return !isa<Constant>(From) && From == origin(I.getOperand(1));
}
