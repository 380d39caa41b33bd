// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant is the second operand, as the optimizer has it: rules look for
// masks there.
//
// fmax(0, x) at x = 0: the rows give a tie to the first operand, and the
// optimizer makes fmax(x, 0) of it. So that the gradient does not depend on
// the optimization level, all do.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

void orderOperands(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (auto *Op = dyn_cast<BinaryOperator>(&I);
        Op && Op->isCommutative() && isa<Constant>(Op->getOperand(0)) &&
        !isa<Constant>(Op->getOperand(1)))
      Op->swapOperands();
    auto *Call = dyn_cast<CallBase>(&I);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    if (!Known || !Known->Symmetric)
      continue;
    Value *First = Call->getArgOperand(0), *Second = Call->getArgOperand(1);
    if (!isa<Constant>(First) || isa<Constant>(Second))
      continue;
    Call->setArgOperand(0, Second);
    Call->setArgOperand(1, First);
  }
}

} // namespace adze
