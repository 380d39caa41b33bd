// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dynamic cast leads to another part of the same object, or nowhere. Where it
// leads depends on the object's class alone, and a shadow has the layout of its
// object. So the result is written as an offset from the operand:
//
//   %r = call @__dynamic_cast(%p, ...)
//   =>  %c = call @__dynamic_cast(%p, ...)
//       %r = select (%c == null), null, %p + (%c - %p)
//
// (Itanium C++ ABI, 2.9.7.)
#include "Prepare/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

static bool isDynamicCast(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == "__dynamic_cast" &&
         Callee->isDeclaration() && Call->arg_size() == 4 &&
         Call->getType()->isPointerTy() &&
         Call->getArgOperand(0)->getType() == Call->getType();
}

void lowerDynamicCasts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isDynamicCast(I) || I.use_empty())
      continue;
    IRBuilder<> B(I.getNextNode());
    Value *From = I.getOperand(0);
    Type *Int = F.getParent()->getDataLayout().getIntPtrType(I.getType());
    auto *To = cast<Instruction>(B.CreatePtrToInt(&I, Int));
    Value *Offset = B.CreateSub(To, B.CreatePtrToInt(From, Int));
    auto *Fails = cast<Instruction>(B.CreateIsNull(&I));
    Value *Moved = B.CreateGEP(B.getInt8Ty(), From, Offset);
    Value *Result =
        B.CreateSelect(Fails, Constant::getNullValue(I.getType()), Moved);
    I.replaceUsesWithIf(Result, [&](const Use &U) {
      return U.getUser() != To && U.getUser() != Fails;
    });
  }
}

} // namespace adze
