// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is thrown may hold active floats, and is memory with a shadow then.
//
//   p = allocate_exception(n)    dp = n zeros, known by p; those of all
//                                     directions are one block
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

class NewExceptionRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    auto &Call = cast<CallBase>(I);
    int Size = lookupKnown(Call)->Allocation.SizeArg;
    IRBuilder<> &B = C.B;
    Module &M = C.module();
    Value *Bytes =
        B.CreateZExtOrTrunc(C.primal(Call.getArgOperand(Size)), B.getInt64Ty());
    Value *Apart = C.L.isOne() ? Bytes : exceptions::emitDistance(B, Bytes);
    Value *Shadow =
        B.CreateCall(M.getOrInsertFunction("calloc", B.getPtrTy(),
                                           B.getInt64Ty(), B.getInt64Ty()),
                     {Apart, B.getInt64(C.L.count())});
    exceptions::emitSetShadow(B, C.primal(&I), Bytes, Shadow,
                              /*EndsWithIt=*/!C.reversesLater());
    if (C.reversesLater())
      emitDeferredFree(B, Shadow,
                       cast<Function>(M.getOrInsertFunction(
                                           "free", B.getVoidTy(), B.getPtrTy())
                                          .getCallee()));
    C.setDual(&I, C.L.make(B, B.getPtrTy(), [&]() -> Value * {
      Value *Before = B.CreateMul(Apart, B.getInt64(C.L.current()));
      return B.CreatePtrAdd(Shadow, Before);
    }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

class CaughtExceptionRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    Value *Object = C.primal(cast<CallBase>(I).getArgOperand(0));
    C.setDual(&I, C.L.make(C.B, I.getType(), [&] {
      return exceptions::emitShadowOf(C.B, Object, C.primal(&I), C.L.current());
    }));
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
