// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is thrown may hold active floats, and is memory with a shadow then.
//
//   p = allocate_exception(n)    dp = n zeros, known by p
//   q = begin_catch(e)           dq = what is known by q, or by e where q is
//                                     the pointer that was thrown; else q
//
// The language gives the exception back. Its shadow ends with it in forward
// mode; in reverse mode when the outermost derivative is done (Ownership.h).
#include "adze/Exceptions.h"
#include "Ownership.h"
#include "Rules.h"
#include "adze/ExceptionShadows.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// What is thrown is found by its address, with one shadow.
void refuseDirections(const Instruction &I, NeedsContext &C) {
  if (C.hasShadow(&I) && C.facts().R.Width != 1)
    C.refuse(I, Diag::SeveralDirections,
             {"an exception that holds active data"});
}

class NewExceptionRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    refuseDirections(I, C);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    auto &Call = cast<CallBase>(I);
    int Size = lookupKnown(Call)->Allocation.SizeArg;
    IRBuilder<> &B = C.B;
    Module &M = C.module();
    Value *Bytes =
        B.CreateZExtOrTrunc(C.primal(Call.getArgOperand(Size)), B.getInt64Ty());
    Value *Shadow =
        B.CreateCall(M.getOrInsertFunction("calloc", B.getPtrTy(),
                                           B.getInt64Ty(), B.getInt64Ty()),
                     {Bytes, B.getInt64(1)});
    exceptions::emitSetShadow(B, C.primal(&I), Bytes, Shadow,
                              /*EndsWithIt=*/!C.reversesLater());
    if (C.reversesLater())
      emitDeferredFree(B, Shadow,
                       cast<Function>(M.getOrInsertFunction(
                                           "free", B.getVoidTy(), B.getPtrTy())
                                          .getCallee()));
    C.setDual(&I, Shadow);
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

class CaughtExceptionRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    refuseDirections(I, C);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (C.carries(&I))
      C.setDual(&I, exceptions::emitShadowOf(
                        C.B, C.primal(cast<CallBase>(I).getArgOperand(0)),
                        C.primal(&I)));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

} // namespace

const Rule &newExceptionRule() {
  static const NewExceptionRule R;
  return R;
}

const Rule &caughtExceptionRule() {
  static const CaughtExceptionRule R;
  return R;
}

} // namespace adze
