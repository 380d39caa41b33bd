// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DigammaFunction.h"
#include "adze/Runtime.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

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
  return F;
}
