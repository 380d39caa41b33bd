// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads of a team meet, or take turns. Nothing is computed there, but
// what one thread does before it happens before what another one does behind
// it. The reverse pass goes the other way, and so do its meetings:
//
//   barrier()                                      barrier()
//   turn.begin() ... turn.end()      turn.back.begin() ... turn.back.end()
//   enter(l) ... n = leave(l)        back.enter(l, n) ... back.leave(l)
//
// Each has one mirror (KnownFunction::Mirror). On a GPU fences stand beside
// barriers: what is released in front of one is acquired behind it. Going back,
//
//   release; barrier(); acquire      release; barrier(); acquire
#include "Rules.h"
#include "adze/ParallelRuntime.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// The reverse pass would take numbers of places a third time.
bool hasNoWayBack(const CallBase &Call) {
  return StringRef(lookupKnown(Call)->Mirror) == "adze.team.back.again";
}

Intrinsic::ID intrinsicNamed(StringRef Name) {
  return Function::lookupIntrinsicID(Name);
}

/// Of an intrinsic, its first operands; else all, and the result.
SmallVector<const Value *, 4> operandsOfMirror(const CallBase &Call) {
  SmallVector<const Value *, 4> Operands(Call.args());
  if (Intrinsic::ID ID = intrinsicNamed(lookupKnown(Call)->Mirror))
    Operands.truncate(
        Intrinsic::getType(Call.getContext(), ID)->getNumParams());
  else if (!Call.getType()->isVoidTy())
    Operands.push_back(&Call);
  return Operands;
}

class MirrorRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!lookupKnown(cast<CallBase>(I))->Mirror) {
      // (It may be declared as a function of another type.)
      MissingFunction Missing = missingFunction(*cast<Function>(
          cast<CallBase>(I).getCalledOperand()->stripPointerCastsAndAliases()));
      return C.refuse(I, Missing.ID, Missing.Args);
    }
    if (!C.carriesFloats() && hasNoWayBack(cast<CallBase>(I)))
      return C.refuse(I, Diag::InTeam,
                      {"a gradient with sections of one thread at a time "
                       "(critical, ordered, locks, atomic operations) that is "
                       "differentiated again in reverse mode"});
    for (const Value *Arg : operandsOfMirror(cast<CallBase>(I)))
      C.primal(Arg);
  }

  void propagate(const Instruction &, ForwardSweepContext &) const override {}

  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &Call = cast<CallBase>(I);
    SmallVector<Value *, 4> Args;
    SmallVector<Type *, 4> Types;
    for (const Value *Arg : operandsOfMirror(Call)) {
      Args.push_back(C.primal(Arg));
      Types.push_back(Arg->getType());
    }
    const char *Mirror = lookupKnown(Call)->Mirror;
    if (Intrinsic::ID ID = intrinsicNamed(Mirror)) {
      C.B.CreateCall(Intrinsic::getDeclaration(&C.module(), ID), Args);
      return;
    }
    C.B.CreateCall(
        C.module().getOrInsertFunction(
            Mirror, FunctionType::get(C.B.getVoidTy(), Types, false)),
        Args);
  }
};

class FenceRule : public Rule {
public:
  // What fences stand alone is refused (DeviceLimits.h).
  void needs(const Instruction &, NeedsContext &) const override {}
  void propagate(const Instruction &, ForwardSweepContext &) const override {}
  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &Fence = cast<FenceInst>(I);
    C.B.CreateFence(mirrored(Fence.getOrdering()), Fence.getSyncScopeID());
  }

private:
  static AtomicOrdering mirrored(AtomicOrdering Order) {
    switch (Order) {
    case AtomicOrdering::Acquire:
      return AtomicOrdering::Release;
    case AtomicOrdering::Release:
      return AtomicOrdering::Acquire;
    default:
      return Order;
    }
  }
};

} // namespace

const Rule &fenceRule() {
  static const FenceRule R;
  return R;
}

const Rule &mirrorRule() {
  static const MirrorRule R;
  return R;
}

} // namespace adze
