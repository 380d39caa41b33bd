// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads of a team meet, or take turns. Nothing is computed there, but
// what one thread does before it happens before what another one does behind
// it. The reverse pass goes the other way, and so do its meetings:
//
//   barrier()                                      barrier()
//   turn.begin() ... turn.end()      turn.back.begin() ... turn.back.end()
//   enter(l) ... n = leave(l)        back.enter(l, n) ... back.leave(l)
//
// Each has one mirror (KnownFunction::Mirror).
#include "Rules.h"
#include "adze/ParallelRuntime.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// The reverse pass would take numbers of places a third time.
bool hasNoWayBack(const CallBase &Call) {
  return StringRef(lookupKnown(Call)->Mirror) == "adze.team.back.again";
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
    for (const Use &Arg : cast<CallBase>(I).args())
      C.primal(Arg);
    if (!I.getType()->isVoidTy())
      C.primal(&I);
  }

  void propagate(const Instruction &, ForwardSweepContext &) const override {}

  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &Call = cast<CallBase>(I);
    SmallVector<Value *, 4> Args;
    for (const Use &Arg : Call.args())
      Args.push_back(C.primal(Arg));
    if (!I.getType()->isVoidTy())
      Args.push_back(C.primal(&I));
    SmallVector<Type *, 4> Types;
    for (const Value *Arg : Args)
      Types.push_back(Arg->getType());
    C.B.CreateCall(C.module().getOrInsertFunction(
                       lookupKnown(Call)->Mirror,
                       FunctionType::get(C.B.getVoidTy(), Types, false)),
                   Args);
  }
};

} // namespace

const Rule &mirrorRule() {
  static const MirrorRule R;
  return R;
}

} // namespace adze
