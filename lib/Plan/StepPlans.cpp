// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StepPlans.h"
#include "adze/Checkpoints.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// A state of more bytes that holds pointers at irregular places is refused.
static constexpr uint64_t MaxIrregularState = 1u << 16;
static constexpr uint64_t WordBytes = 8;

namespace {

class StepPlanner {
public:
  StepPlanner(Plan &P, const checkpoints::Layout &L, Diagnostics &Diags,
              const Origin &From)
      : P(P), F(*P.F), L(L), Diags(Diags), From(From) {}

  bool plan();

private:
  bool refuse(const Twine &Why) {
    Diags.report(Diag::CheckpointLoop, From, Steps.Step, {Why.str()});
    return false;
  }
  bool survives();
  bool fits(const CallPlan &Step);
  bool findWords();
  bool findWords(unsigned Region);
  void planTracking();

  Plan &P;
  StepPlan Steps;
  const Facts &F;
  const checkpoints::Layout &L;
  Diagnostics &Diags;
  const Origin &From;
};

/// What a step reads beside the state is the same when it runs again, or the
/// step says what it is.
bool StepPlanner::survives() {
  const CallerWrites &Later = F.R.MayBeOverwritten;
  using Layout = checkpoints::Layout;
  bool Fine = true;
  auto report = [&](const std::string &What) {
    Diags.report(Diag::CheckpointOverwritten, From, Steps.Step, {What});
    Fine = false;
  };
  Steps.Reads.assign(L.StepArgs, false);
  for (unsigned K = 0; K < L.StepArgs && !Later.Arguments.empty(); ++K) {
    if (L.Reads[K] == Layout::Nothing || !Later.Arguments[L.FirstStepArg + K])
      continue;
    Steps.Reads[K] = true;
    if (L.Reads[K] == Layout::Uncounted)
      report(L.Loop
                 ->getAttributeAtIndex(AttributeList::FirstArgIndex +
                                           L.FirstStepArg + K,
                                       checkpoints::NameOfArgument)
                 .getValueAsString()
                 .str());
  }
  Steps.ReadsElsewhere = L.ReadsElsewhere != Layout::Nothing && Later.Elsewhere;
  if (Steps.ReadsElsewhere && L.ReadsElsewhere == Layout::Uncounted)
    report("global variables, or what pointers in memory lead to");
  return Fine;
}

bool StepPlanner::fits(const CallPlan &Step) {
  if (F.R.RunsAgain) {
    Diags.report(Diag::TapeNotKept, From, Steps.Step,
                 {sourceName(*F.P->Source),
                  "a loop with adze_checkpoint gives its states back"});
    return false;
  }
  if (any_of(Step.Callee->Req.Args, returnsAdjoint))
    return refuse("an integer that holds bits of an active number goes into "
                  "the loop");
  return true;
}

/// Where pointers stand whose shadows may be others in another step.
bool StepPlanner::findWords(unsigned Region) {
  const Argument *Base = L.Loop->getArg(L.Regions[Region].Base);
  using Content = checkpoints::Layout::Region::Content;
  const Content Pointers = L.Regions[Region].Pointers;
  if (Pointers == Content::NoPointers)
    return true;
  const uint64_t Size = L.Regions[Region].Size, All = Size ? Size : UINT64_MAX;
  if (!F.hasShadow(Base) || !F.Activity->mayHoldShadows(Base, 0, All))
    return true;
  if (Pointers == Content::OnePointer || Pointers == Content::OneObject) {
    Steps.Words.push_back({Region, 0, Size});
    return true;
  }
  const BlockLayout Layout = F.Types->memoryLayout(Base, All);
  if (!Layout.has(ConcreteType::Pointer) && !Layout.has(ConcreteType::Unknown))
    return true;
  const bool Uniform = Layout.Ranges.size() == 1 &&
                       Layout.Ranges.front().Type.isPointer() &&
                       Layout.Period % WordBytes == 0;
  if (Uniform) {
    Steps.Words.push_back({Region, 0, Size});
    return true;
  }
  if (!Size || Size > MaxIrregularState)
    return refuse("its state holds pointers to active data, and it is not "
                  "known where");
  for (uint64_t Begin = 0; Begin < Size; Begin += Layout.Period)
    for (const TypedRange &R : Layout.Ranges) {
      const uint64_t At = Begin + R.Begin, End = std::min(Begin + R.End, Size);
      if (At >= End || !F.Activity->mayHoldShadows(Base, At, End))
        continue;
      if (R.Type.isPointer())
        Steps.Words.push_back({Region, At, End - At});
      else if (!R.Type.isKnown())
        return refuse("its state may hold pointers to active data, and it is "
                      "not known where");
    }
  return true;
}

bool StepPlanner::findWords() {
  for (unsigned Region = 0; Region < L.Regions.size(); ++Region)
    if (!findWords(Region))
      return false;
  return true;
}

/// What the steps say when they run first.
void StepPlanner::planTracking() {
  Steps.Tracks = L.Tracks || Steps.tracksReads();
  Steps.Inside = L.Inside;
  Steps.Pointers = any_of(L.Loop->args(), [&](const Argument &A) {
    const bool IsRegion = any_of(
        L.Regions, [&](const auto &R) { return R.Base == A.getArgNo(); });
    // The pointers in a region are Words.
    return F.hasShadow(&A) &&
           (F.Types->treeOf(&A).depth() > (IsRegion ? 2 : 1) ||
            (!IsRegion && F.Activity->mayHoldShadows(&A, 0, UINT64_MAX)));
  });
}

bool StepPlanner::plan() {
  const CallInst *Step = L.step();
  Steps.Step = Step;
  const CallPlan *Call = Step ? P.callPlan(*Step) : nullptr;
  if (!Call) { // nothing of it takes part
    P.Steps = Steps;
    return true;
  }
  if (!fits(*Call) || !survives() || !findWords())
    return false;
  planTracking();
  P.Steps = Steps;
  for (const Argument &A : L.Loop->args()) {
    P.Decisions[{&A, unsigned(Part::Primal)}] = {};
    if (F.hasShadow(&A))
      P.Decisions[{&A, unsigned(Part::Shadow)}] = {};
  }
  Decision Kept;
  Kept.From = Source::Cache;
  Kept.Slot = 0;
  P.Decisions[{Step, unsigned(Part::Tape)}] = Kept;
  Slot States;
  States.Holds = {Step, Part::Tape};
  States.Element = PointerType::getUnqual(Step->getContext());
  P.Slots.push_back(States);
  return true;
}

} // namespace

bool planSteps(Plan &P, Diagnostics &Diags, const Origin &From) {
  const auto L = checkpoints::layoutOf(*P.F->P->F);
  return L && StepPlanner(P, *L, Diags, From).plan();
}

Error verifySteps(const Plan &P) {
  const auto L = checkpoints::layoutOf(*P.F->P->F);
  if (!L || !P.Steps || !P.Steps->Step || P.Steps->Step != L->step())
    return createStringError("a loop function has no step");
  const StepPlan &Steps = *P.Steps;
  const CallPlan *Step = P.callPlan(*Steps.Step);
  if (!Step)
    return P.Slots.empty() && Steps.Words.empty()
               ? Error::success()
               : createStringError("a step that takes no part keeps something");
  if (Step->Strategy != CallStrategy::Steps || !Step->Callee->Fused)
    return createStringError("a step has no fused derivative");
  for (const Use &Arg : Steps.Step->args())
    if (Arg !=
        L->Loop->getArg(L->FirstStepArg + Steps.Step->getArgOperandNo(&Arg)))
      return createStringError("a step has arguments of its own");
  for (const StateWords &W : Steps.Words)
    if (W.Region >= L->Regions.size() ||
        !P.F->hasShadow(L->Loop->getArg(L->Regions[W.Region].Base)))
      return createStringError("words of a state have no shadow");
  if (P.Slots.size() != 1 || P.Slots.front().Size != Sizing::Scalar)
    return createStringError("the states have no place on the tape");
  return Error::success();
}

} // namespace adze
