// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallPlans.h"
#include "ArgumentPairs.h"
#include "BesideTasks.h"
#include "CallCopies.h"
#include "Descriptions.h"
#include "Needs.h"
#include "adze/AddressDual.h"
#include "adze/Analyses.h"
#include "adze/Checkpoints.h"
#include "adze/DeviceTarget.h"
#include "adze/Exceptions.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/Tasks.h"
#include "adze/Teams.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

CalleeProvider::~CalleeProvider() = default;

/// A sub-tape of more bytes than this is a block of its own.
static constexpr uint64_t MaxInlineTape = 1u << 16;

namespace {

/// True if \p Ptr surely points into the frame of the function it stands in.
bool isLocalMemory(const Value *Ptr) {
  return isa<AllocaInst>(getUnderlyingObject(Ptr, /*MaxLookup=*/0));
}

/// True if \p Call can be run once more without anybody noticing.
bool isRepeatableCall(const CallBase &Call) {
  if (Call.hasFnAttr(exceptions::Catches))
    return false;
  const KnownFunction *Known = lookupKnown(Call);
  if (!Known)
    return Call.doesNotAccessMemory() && isa<IntrinsicInst>(Call);
  const CallFacts &Facts = Known->Facts;
  if (Facts.Repeatable != Repeats::Yes)
    return Facts.Repeatable == Repeats::IfPure && Call.doesNotAccessMemory() &&
           isa<IntrinsicInst>(Call);
  switch (Facts.Writes) {
  case Reach::None:
    return true;
  case Reach::First:
    return isLocalMemory(Call.getArgOperand(0));
  default:
    return all_of(Call.args(), [](const Use &Arg) {
      return !Arg->getType()->isPointerTy() || isLocalMemory(Arg);
    });
  }
}

/// True if running \p P once more changes nothing and gives the same.
bool isRepeatable(const Primal &P) {
  for (const Instruction &I : instructions(*P.F)) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (!isRepeatableCall(*Call))
        return false;
      continue;
    }
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!Load->isSimple())
        return false;
      continue;
    }
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (!Store->isSimple() || !isLocalMemory(Store->getPointerOperand()))
        return false;
      continue;
    }
    if (I.mayWriteToMemory())
      return false;
  }
  return true;
}

class CallPlanner {
public:
  CallPlanner(const Facts &F, CalleeProvider &Callees)
      : F(F), Callees(Callees) {}

  /// Null after a report.
  std::optional<CallPlan> plan(const CallBase &Call, Function &Callee,
                               Diagnostics &Diags, const Origin &From);
  /// What plan() will ask for. Null where it will report.
  std::optional<Request> requestOf(const CallBase &Call, Function &Callee);

private:
  DerivativeKind kindFor(const CallBase &Call, Function &Callee);
  Request request(const CallBase &Call, Function &Callee, DerivativeKind Kind);
  void addHandles(const CallBase &Call, SmallVectorImpl<uint16_t> &Flags) const;
  bool mayRunAtReverse(const CallBase &Call, Function &Callee, RetActivity Ret);
  TeamRole roleOf(const CallBase &Call) const;
  bool mayBeTask(const CallBase &Call) const;
  bool isStep() const;
  bool isRepeatableCallee(Function &Callee);
  void fillNeeds(CallPlan &Plan, const CallBase &Call);
  bool fillsArray(const CallBase &Call) const;

  const Facts &F;
  CalleeProvider &Callees;
  DenseMap<const Function *, bool> Repeatable;
};

bool fits(const CallBase &Call, const Function &Callee) {
  return !Callee.isVarArg() &&
         Call.getFunctionType() == Callee.getFunctionType();
}

void reportUnfit(const CallBase &Call, const Function &Callee,
                 Diagnostics &Diags, const Origin &From) {
  std::string Name = "a call of '" + sourceName(Callee) + "' ";
  Diags.report(Diag::UnsupportedInstruction, From, &Call,
               {Name + (Callee.isVarArg() ? "with variable arguments"
                                          : "with other arguments than it "
                                            "declares")});
}

/// Integers of which the callee may believe the dual.
void CallPlanner::addHandles(const CallBase &Call,
                             SmallVectorImpl<uint16_t> &Flags) const {
  for (const Use &Arg : Call.args())
    if (Arg->getType()->isIntegerTy() && !isa<Constant>(Arg) &&
        F.hasShadow(Arg) && !F.isActive(Arg) &&
        addressDualOf(*Arg, F) == AddressDual::Exact) {
      Flags.resize(Call.arg_size());
      Flags[Call.getArgOperandNo(&Arg)] |= IsHandle;
    }
}

TeamRole CallPlanner::roleOf(const CallBase &Call) const {
  if (F.R.InTeam != TeamRole::None && isDevice(*Call.getModule()))
    return TeamRole::Within;
  switch (F.R.InTeam) {
  case TeamRole::None:
    return teams::isTeamCall(Call) ? TeamRole::Region : TeamRole::None;
  case TeamRole::Region:
  case TeamRole::Called:
    // Threads of other teams may run what the threads of an inner one run.
    return teams::isTeamCall(Call) ? TeamRole::Within : TeamRole::Called;
  case TeamRole::Within:
    break;
  }
  return TeamRole::Within;
}

Request CallPlanner::request(const CallBase &Call, Function &Callee,
                             DerivativeKind Kind) {
  CallActivity Activity = activityOfCall(*F.Activity, Call, Kind);
  Request R;
  R.Primal = &Callee;
  R.Kind = Kind;
  R.Args = std::move(Activity.Args);
  R.Ret = Activity.Ret;
  // At reverse time the primal call has been made long since.
  R.ReturnPrimal = (Kind.isForward() || Kind.isSplit()) && !Call.use_empty();
  if (Kind.isSplit())
    R.MayBeOverwritten = F.Memory->overwrittenAfter(Call);
  R.Types = F.Types->typesOfCall(Call);
  R.Descriptions = descriptionsFor(Call, *F.Types);
  R.Width = F.R.Width;
  R.ArgumentFlags = std::move(Activity.ArgumentFlags);
  addHandles(Call, R.ArgumentFlags);
  R.RuntimeActivity = F.R.RuntimeActivity;
  R.StrongZero = F.R.StrongZero;
  R.RunsAgain = F.R.RunsAgain && Kind.isSplit();
  R.InTeam = roleOf(Call);
  if (!Kind.isForward() &&
      (R.InTeam != TeamRole::None || teams::mayStart(Callee)))
    R.Pairs = pairsOf(Call, *F.P, F.R);
  R.Copied = copiedArguments(Call, R, F, Callees);
  return R;
}

bool CallPlanner::isRepeatableCallee(Function &Callee) {
  auto [It, IsNew] = Repeatable.try_emplace(&Callee, false);
  if (IsNew)
    if (const Primal *P = Callees.primalOf(Callee))
      It->second = isRepeatable(*P);
  return It->second;
}

bool CallPlanner::mayRunAtReverse(const CallBase &Call, Function &Callee,
                                  RetActivity Ret) {
  return !retHasShadow(Ret) && !F.Memory->mayBeOverwritten(&Call) &&
         isRepeatableCallee(Callee);
}

/// Whether what is kept of \p Call is an array of its own memory, and each
/// element is used: then the tape of a function can hold those of the calls
/// that it makes of itself, which are not within it but behind a pointer.
bool CallPlanner::fillsArray(const CallBase &Call) const {
  const BasicBlock *B = Call.getParent();
  const LoopRecord *L = F.P->loopOf(B);
  if (!L)
    return false;
  for (; L; L = L->Parent) {
    if (!L->LastIteration || !F.P->DT->dominates(B, L->L->getLoopLatch()))
      return false;
    B = L->L->getHeader();
  }
  return true;
}

/// Which parameters the reverse half of the callee reads: what its plan says;
/// everything inside a recursion, where the plan is still being made.
void CallPlanner::fillNeeds(CallPlan &Plan, const CallBase &Call) {
  const Derivative &D = *Plan.Callee;
  Plan.NeedsPrimal.assign(Call.arg_size(), true);
  Plan.NeedsShadow.assign(Call.arg_size(), true);
  if (Plan.Strategy != CallStrategy::Split)
    return;
  Plan.HasTape = true;
  if (given::has(*D.Req.Primal, D.Req.Kind.Mode)) {
    if (!Plan.ByTeam)
      Plan.HasTape = D.TapeType->getNumElements() > 0;
    return;
  }
  const adze::Plan *Inner = D.Planned ? Callees.planOf(D) : nullptr;
  Plan.Copies = copiesRead(Call, D.Req, Inner, F, Callees);
  if (Plan.ByTeam)
    return;
  if (!Inner) {
    Plan.TapeByPointer =
        Plan.ByTask || D.Req.key() != F.R.key() || !fillsArray(Call);
    return;
  }
  for (unsigned K = 0; K < Call.arg_size(); ++K) {
    Plan.NeedsPrimal[K] = Inner->ReverseReadsPrimal[K];
    Plan.NeedsShadow[K] = Inner->ReverseReadsShadow[K];
  }
  Plan.HasTape = Inner->hasTape();
  if (!Plan.HasTape)
    return;
  // Tapes inside each other: in a clique of functions each would hold those of
  // all who come after it, twice the size for each member.
  const DataLayout &DL = Call.getModule()->getDataLayout();
  Plan.TapeByPointer =
      Plan.ByTask || DL.getTypeAllocSize(D.TapeType) > MaxInlineTape;
  // An array that grows would make room for 16 of them, and many such loops
  // run a few times only.
  for (const LoopRecord *L = F.P->loopOf(Call.getParent()); L; L = L->Parent)
    Plan.TapeByPointer |= !L->LastIteration;
}

DerivativeKind CallPlanner::kindFor(const CallBase &Call, Function &Callee) {
  if (F.R.Kind.isForward())
    return DerivativeKind::Forward;
  if (isStep())
    return DerivativeKind::Fused;
  if (teams::isTeamCall(Call) || mayBeTask(Call) ||
      given::has(Callee, DerivativeMode::Reverse))
    return DerivativeKind::Split;
  RetActivity Ret =
      activityOfCall(*F.Activity, Call, DerivativeKind::Split).Ret;
  return mayRunAtReverse(Call, Callee, Ret) ? DerivativeKind::Fused
                                            : DerivativeKind::Split;
}

std::optional<Request> CallPlanner::requestOf(const CallBase &Call,
                                              Function &Callee) {
  if (!fits(Call, Callee))
    return std::nullopt;
  return request(Call, Callee, kindFor(Call, Callee));
}

/// Without a team there is nobody to run tasks.
bool CallPlanner::mayBeTask(const CallBase &Call) const {
  return tasks::isTaskCall(Call) && F.R.InTeam != TeamRole::None;
}

/// The function runs the steps of a loop, and calls nothing else.
bool CallPlanner::isStep() const {
  return checkpoints::layoutOf(*F.P->F).has_value();
}

static CallStrategy strategyFor(DerivativeKind Kind) {
  if (Kind.isForward())
    return CallStrategy::AtOnce;
  return Kind.isSplit() ? CallStrategy::Split : CallStrategy::AtReverse;
}

std::optional<CallPlan> CallPlanner::plan(const CallBase &Call,
                                          Function &Callee, Diagnostics &Diags,
                                          const Origin &From) {
  std::optional<Request> R = requestOf(Call, Callee);
  if (!R) {
    reportUnfit(Call, Callee, Diags, From);
    return std::nullopt;
  }
  CallPlan Result;
  Result.Strategy = !R->Kind.isForward() && isStep() ? CallStrategy::Steps
                                                     : strategyFor(R->Kind);
  Result.Callee = Callees.derivative(*R, Call);
  if (!Result.Callee)
    return std::nullopt;
  Result.ByTeam = teams::isTeamCall(Call);
  // What comes back by value is wanted where the call is reversed.
  Result.ByTask =
      mayBeTask(Call) && none_of(R->Args, returnsAdjoint) && !isStep();
  if (Result.ByTask && !R->Kind.isForward())
    Result.BesideUpTo = waitFor(Call, *F.P);
  fillNeeds(Result, Call);
  return Result;
}

/// The calls of functions with bodies that have a derivative.
void forEachCall(const Facts &F, ArrayRef<const BasicBlock *> Blocks,
                 function_ref<void(const CallBase &, Function &)> Visit) {
  for (const BasicBlock *B : Blocks)
    for (const Instruction &I : *B) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !isDerived(*Call, F) || lookupKnown(*Call))
        continue;
      auto *Callee =
          dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
      // Without a body there is no rule either; Needs reports it.
      if (Callee &&
          (!Callee->isDeclaration() || given::calleeOf(*Call, F.R.Kind.Mode)))
        Visit(*Call, *Callee);
    }
}

} // namespace

std::vector<NestedRequest> nestedRequests(const Facts &F,
                                          CalleeProvider &Callees) {
  CallPlanner Planner(F, Callees);
  std::vector<NestedRequest> Nested;
  forEachCall(F, blocksOf(F), [&](const CallBase &Call, Function &Callee) {
    if (std::optional<Request> R = Planner.requestOf(Call, Callee))
      Nested.push_back({std::move(*R), &Call});
  });
  return Nested;
}

bool planCalls(const Facts &F, ArrayRef<const BasicBlock *> Blocks,
               CalleeProvider &Callees, Diagnostics &Diags, const Origin &From,
               CallPlanMap &Calls) {
  CallPlanner Planner(F, Callees);
  bool Fine = true;
  forEachCall(F, Blocks, [&](const CallBase &Call, Function &Callee) {
    if (auto Plan = Planner.plan(Call, Callee, Diags, From))
      Calls.insert({&Call, std::move(*Plan)});
    else
      Fine = false;
  });
  return Fine;
}

} // namespace adze
