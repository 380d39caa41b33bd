// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions with a body: the callee's own derivative is called, as
// the call plan says.
//
//   r = f(a..)   forward:             (r, dr) = fwd_f(a.., da..)
//                split, augmented:    (r, dr) = aug_f(a.., da.., tape)
//                split, reverse:      a'     += rev_f(a.., da.., copies..,
//                                                     r', tape)
//                at reverse time:     a'     += fused_f(a.., da.., r')
//
// Where all threads of a team make the call, they make these, too. Where a task
// makes it, other tasks make these, but those at reverse time.
#include "Rules.h"
#include "adze/Exceptions.h"
#include "adze/GivenDerivatives.h"
#include "adze/OwnFunction.h"
#include "adze/Tasks.h"
#include "adze/Teams.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// Such a call must not go, even if nobody uses its result: the program would
/// end later.
bool mayEndProgram(const Function &Callee) {
  return any_of(Callee, [](const BasicBlock &B) {
    return isa<UnreachableInst>(B.getTerminator());
  });
}

class CallRule : public Rule {
public:
  bool ownsPrimal(const Instruction &) const override { return true; }

  void needs(const Instruction &I, NeedsContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const CallPlan *Plan = C.callPlan(Call);
    if (!Plan || Plan->Strategy == CallStrategy::Inactive)
      return;
    const Request &R = Plan->Callee->Req;
    // Nobody would add up what comes back from several threads.
    if (Plan->ByTeam && (any_of(R.Args, returnsAdjoint) ||
                         R.Ret != RetActivity::Const || R.ReturnPrimal))
      return C.refuse(I, Diag::UnsupportedInstruction,
                      {"a parallel region with an active argument by value"});
    for (unsigned K = 0; K < R.Args.size(); ++K) {
      const Value *Arg = Call.getArgOperand(K);
      if (Plan->NeedsPrimal[K])
        C.primal(Arg);
      if (hasShadowParam(R.Args[K]) && Plan->NeedsShadow[K] && C.hasShadow(Arg))
        C.shadow(Arg);
    }
    for (const Value *Copy : Plan->Copies)
      if (Copy)
        C.primal(Copy);
    if (Plan->Strategy == CallStrategy::Split)
      C.tape(&Call);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const CallPlan *Plan = C.callPlan(Call);
    if (!Plan || Plan->Strategy == CallStrategy::Inactive) {
      C.clonePrimal(&I);
      return;
    }
    if (Plan->Strategy == CallStrategy::AtReverse) {
      auto &Now = cast<CallBase>(*C.clonePrimal(&I));
      if (!mayEndProgram(*Plan->Callee->Req.Primal))
        markRepeated(Now);
      return;
    }
    const Derivative &D = *Plan->Callee;
    const bool Split = Plan->Strategy == CallStrategy::Split;
    SmallVector<Value *, 8> Params;
    for (unsigned K = 0; K < D.Req.Args.size(); ++K) {
      Params.push_back(C.primal(Call.getArgOperand(K)));
      if (hasShadowParam(D.Req.Args[K]))
        Params.push_back(C.dual(Call.getArgOperand(K)));
    }
    if (Split)
      Params.push_back(C.tapeOf(&Call));
    Function *Half = Split ? D.Augmented : D.Forward;
    if (Plan->ByTask) {
      tasks::createSpawn(C.B, *Half, Params,
                         Split ? teams::Half::Augmented : teams::Half::Whole,
                         tasks::Order::OfPrimal)
          ->setDebugLoc(I.getDebugLoc());
      return;
    }
    CallInst *New = C.B.CreateCall(Half, Params);
    New->setDebugLoc(I.getDebugLoc());
    if (Plan->ByTeam)
      teams::markTeamCall(
          *New, Split ? teams::Half::Augmented : teams::Half::Whole,
          Split ? C.dataLayout().getTypeAllocSize(D.TapeType).getFixedValue()
                : 0);
    // The program's own derivatives throw; others leave what is in flight.
    if (Call.hasFnAttr(exceptions::Catches) && given::hasAny(*D.Req.Primal))
      New->addFnAttr(Call.getFnAttr(exceptions::Catches));
    if (Call.hasFnAttr(exceptions::Terminates))
      New->addFnAttr(Call.getFnAttr(exceptions::Terminates));
    unsigned Field = 0;
    if (D.Req.ReturnPrimal)
      C.setPrimal(&I, C.B.CreateExtractValue(New, Field++));
    bool ReturnsDual =
        Split ? retHasShadow(D.Req.Ret) : D.Req.Ret != RetActivity::Const;
    if (ReturnsDual)
      C.setDual(&I, C.B.CreateExtractValue(New, Field++));
    else if (C.carries(&I))
      C.setDual(&I, C.L.zero(I.getType()));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const CallPlan *Plan = C.callPlan(Call);
    if (!Plan || Plan->Strategy == CallStrategy::Inactive)
      return;
    const Derivative &D = *Plan->Callee;
    bool Split = Plan->Strategy == CallStrategy::Split;
    Function *F = !Split          ? D.Fused
                  : C.runsAgain() ? D.ReverseKeepTape
                                  : D.Reverse;
    SmallVector<Value *, 8> Params;
    auto push = [&](Value *V) {
      // A parameter that the callee's reverse half does not read.
      Params.push_back(
          V ? V : PoisonValue::get(F->getArg(Params.size())->getType()));
    };
    for (unsigned K = 0; K < D.Req.Args.size(); ++K) {
      const Value *Arg = Call.getArgOperand(K);
      push(Plan->NeedsPrimal[K] ? C.primal(Arg) : nullptr);
      if (hasShadowParam(D.Req.Args[K]))
        push(Plan->NeedsShadow[K] ? shadowOf(Arg, C) : nullptr);
    }
    for (const Value *Copy : Plan->Copies)
      push(Copy ? C.primal(Copy) : nullptr);
    if (retTakesAdjoint(D.Req.Ret)) {
      Value *Adjoint = C.takeAdjoint(&I);
      push(Adjoint ? Adjoint : C.L.zero(I.getType()));
    }
    if (Split)
      push(C.tapeOf(&Call));
    if (Plan->ByTask) {
      tasks::createSpawn(
          C.B, *F, Params,
          C.runsAgain() ? teams::Half::ReverseKeep : teams::Half::Reverse,
          Plan->BesideUpTo ? tasks::Order::Beside : tasks::Order::Strict)
          ->setDebugLoc(I.getDebugLoc());
      return; // the tape goes when the task has ended
    }
    CallInst *New = C.B.CreateCall(F, Params);
    New->setDebugLoc(I.getDebugLoc());
    if (Plan->ByTeam)
      teams::markTeamCall(*New, C.runsAgain() ? teams::Half::ReverseKeep
                                              : teams::Half::Reverse);
    unsigned Field = 0;
    for (unsigned K = 0; K < D.Req.Args.size(); ++K)
      if (returnsAdjoint(D.Req.Args[K]))
        C.addAdjoint(Call.getArgOperand(K),
                     C.B.CreateExtractValue(New, Field++));
    if (Split)
      C.releaseTape(&Call);
  }

private:
  static Value *shadowOf(const Value *Arg, ReverseContext &C) {
    return C.hasShadow(Arg) ? C.shadow(Arg) : C.L.zero(Arg->getType());
  }
};

} // namespace

const Rule &callRule() {
  static const CallRule R;
  return R;
}

} // namespace adze
