// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DigammaFunction.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"
#include "adze/Runtime.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

/// The body computes by intrinsics, which are functions of libm elsewhere and
/// nothing on devices.
static void callLibrary(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    if (!Known || Known->Facts.By != Derivation::Partials ||
        Function::isTargetIntrinsic(Call->getIntrinsicID()))
      continue;
    if (FunctionCallee Callee =
            declareScalar(*F.getParent(), Known->Family, Call->getType()))
      Call->setCalledFunction(Callee);
  }
}

Function *adze::digammaFunction(Module &M, Type *Ty) {
  const char *Name = Ty->isFloatTy()      ? "adze.digamma.f32"
                     : Ty->isDoubleTy()   ? "adze.digamma.f64"
                     : Ty->isX86_FP80Ty() ? "adze.digamma.f80"
                     : Ty->isFP128Ty()    ? "adze.digamma.f128"
                                          : nullptr;
  if (!Name)
    return nullptr;
  Function *F = runtimeFunction(M, DigammaUnit, Name);
  F->setWillReturn();
  if (isDevice(M))
    callLibrary(*F);
  return F;
}
