// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan is made in steps: the calls, what the reverse pass reads, where that
// comes from, and where the tape keeps what is kept.
#include "CacheCut.h"
#include "CallPlans.h"
#include "DeviceLimits.h"
#include "Needs.h"
#include "Replicas.h"
#include "RerunPrices.h"
#include "StepPlans.h"
#include "TapeLayout.h"
#include "adze/Checkpoints.h"
#include "adze/DeviceTarget.h"
#include "adze/Options.h"
#include "adze/RuleContext.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// Loops of a function for which a plan is made in which they run again.
constexpr unsigned MaxRerunsTried = 6;
/// Running again must save this part of the price; of two versions, of which
/// one runs, each is about a half of it. Or this part of the tape, at the same
/// price: how large the loops are nobody knows.
constexpr unsigned RerunGain = 10, TapeGain = 2;

/// Collects the needs and reports the problems.
class Collector : public NeedsVisitor {
public:
  Collector(Diagnostics &Diags, const Origin &From)
      : Diags(Diags), From(From) {}

  NeedSet Needs;
  bool Fine = true;

  void need(PlanValue V, const Instruction &At) override {
    if (V.V->getType()->isScalableTy())
      return problem(At, Diag::UnsupportedInstruction,
                     {"a vector of a size not known at compile time"});
    Needs.insert({V.V, unsigned(V.Which)});
  }

  void problem(const Instruction &At, Diag ID, ArrayRef<std::string> Args,
               ArrayRef<Witness> Facts = {}) override {
    if (ID == Diag::InTeam && isDevice(*At.getModule()))
      ID = Diag::InKernel;
    Diags.report(ID, From, &At, Args, Facts);
    Fine = false;
  }

private:
  Diagnostics &Diags;
  const Origin &From;
};

/// The augmented half gives every shadow of a static alloca its place, whether
/// the reverse half reads it or not.
void needShadowStorage(const Facts &F, NeedSet &Needs) {
  for (const Instruction &I : F.P->F->getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (A->isStaticAlloca() && F.hasShadow(A))
        Needs.insert({A, unsigned(Part::Shadow)});
}

/// The reverse half of a callee may read what pointers in memory that it was
/// handed lead to: it runs with those arguments, or has kept such pointers.
bool callsReadPointees(const Plan &P) {
  for (const auto &[Call, C] : P.Calls)
    for (const Use &Arg : Call->args()) {
      unsigned I = Call->getArgOperandNo(&Arg);
      bool Read = I < C.NeedsPrimal.size() && C.NeedsPrimal[I];
      if ((Read || C.HasTape) && !isa<Constant>(Arg) &&
          holdsPointers(Arg, *P.F) &&
          !(P.F->Activity->memoryBits(Arg) & HoldsNoPointers))
        return true;
    }
  return false;
}

/// The objects that \p V, perhaps an alternative, may lead into.
SmallVector<const Value *, 4> objectsBehind(const Value *V, const Primal &P) {
  SmallVector<const Value *, 4> Objects, Result;
  getUnderlyingObjects(V, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    const Value *Meaning = P.Elsewhere.meaningOf(Object);
    if (Meaning == Object)
      Result.push_back(Object);
    else
      getUnderlyingObjects(Meaning, Result, /*LI=*/nullptr, /*MaxLookup=*/0);
  }
  return Result;
}

/// The reverse pass comes to a variable by more than its name: by a pointer
/// that was kept or loaded. Such a variable needs a place on the tape as well,
/// for in a split derivative it would be gone. Returns whether any was new.
bool needPointees(const Plan &P, NeedSet &Needs) {
  const Facts &F = *P.F;
  bool Grew = false, Unknown = callsReadPointees(P);
  auto need = [&](const Value *Object) {
    auto *A = dyn_cast<AllocaInst>(Object);
    // (The caller of a function with such an argument needs its variable.)
    if (((A && A->isStaticAlloca()) || isa<Argument>(Object)) &&
        !P.find(Object, Part::Primal))
      Grew |= Needs.insert({Object, unsigned(Part::Primal)});
  };
  // Integers among the alternatives count or compare.
  auto mayLead = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && F.P->Elsewhere.contains(I) ? V->getType()->isPtrOrPtrVectorTy()
                                           : holdsPointers(V, F);
  };
  for (auto &[K, D] : P.Decisions) {
    if (Part(K.second) != Part::Primal || D.From == Source::Available ||
        !mayLead(K.first))
      continue;
    for (const Value *Object : objectsBehind(K.first, *F.P)) {
      need(Object);
      Unknown |= !isa<AllocaInst>(Object) && !isIdentifiedObject(Object);
    }
  }
  if (!Unknown)
    return Grew;
  auto isCaptured = [](const Value &V) {
    return PointerMayBeCaptured(&V, /*ReturnCaptures=*/true,
                                /*StoreCaptures=*/true);
  };
  for (const Instruction &I : F.P->F->getEntryBlock())
    if (isa<AllocaInst>(I) && isCaptured(I))
      need(&I);
  for (const Argument &A : F.P->F->args())
    if (holdsPointers(&A, F) && (!A.getType()->isPointerTy() || isCaptured(A)))
      need(&A);
  return Grew;
}

/// The strides of arrays of several dimensions: the reverse pass reads the
/// counts of all loops but the outermost. Returns whether any was new.
bool needStrides(const Plan &P, NeedSet &Needs) {
  bool Grew = false;
  for (const Slot &S : P.Slots) {
    if (S.Size != Sizing::OnEntry)
      continue;
    for (const LoopRecord *L : drop_begin(S.Dims))
      if (!isa<Constant>(L->LastIteration))
        Grew |= Needs.insert({L->LastIteration, unsigned(Part::Primal)});
  }
  return Grew;
}

/// What runs again for what is kept so, and what that begins with. Returns
/// whether any of it was new.
bool needBegins(Plan &P, ArrayRef<const RerunAnalysis *> Reruns,
                NeedSet &Needs) {
  bool Grew = false;
  for (const RerunAnalysis *A : Reruns) {
    SmallVector<const Value *, 16> Kept, Found;
    for (const auto &[K, D] : P.Decisions)
      if (D.Rerun == &A->loop())
        (D.From == Source::Cache ? Kept : Found).push_back(K.first);
    P.Reruns[&A->loop()] = A->toCompute(Kept, Found, [&](const Value *V) {
      Grew |= Needs.insert({V, unsigned(Part::Primal)});
    });
  }
  return Grew;
}

/// Decides on \p Needs and lays out the tape, if iterations of the loops of \p
/// Reruns run again. The layout may read counts that nothing needed before;
/// they stand outside the loops of the arrays, so this ends after as many
/// rounds as loops are nested. And what runs again grows until it is closed.
/// Returns the price; none if there are too many values.
std::optional<uint64_t> decide(Plan &P, NeedSet Needs,
                               const ProgramOrder &Order,
                               ArrayRef<const RerunAnalysis *> Reruns) {
  P.Reruns.clear();
  bool Grew = true;
  uint64_t Price = 0;
  while (Grew) {
    Sources Found =
        decideSources(*P.F, Needs, Order, Options::get().MaxPlanValues, Reruns);
    if (Found.Decisions.empty() && !Needs.empty())
      return std::nullopt;
    Price = Found.Price;
    P.Decisions.clear();
    for (auto &[V, D] : Found.Decisions)
      P.Decisions[{V.V, unsigned(V.Which)}] = std::move(D);
    layOutSlots(P);
    Grew = needBegins(P, Reruns, Needs) || needPointees(P, Needs) ||
           needStrides(P, Needs);
  }
  for (const auto &[L, Again] : P.Reruns)
    Price = SaturatingAdd(Price, priceOf(Again, P));
  return Price;
}

/// The part of a plan that depends on what runs again.
struct Variant {
  decltype(Plan::Decisions) Decisions;
  decltype(Plan::Slots) Slots;
  decltype(Plan::Reruns) Reruns;

  void swapWith(Plan &P) {
    std::swap(Decisions, P.Decisions);
    std::swap(Slots, P.Slots);
    std::swap(Reruns, P.Reruns);
  }
};

/// The augmented half keeps what running again takes the place of.
bool keepsInside(const Plan &P, const RerunAnalysis &A) {
  return any_of(P.Decisions, [&](const auto &Entry) {
    const auto &[K, D] = Entry;
    return D.From == Source::Cache && !D.Rerun &&
           A.takesPlaceOf({K.first, Part(K.second)});
  });
}

/// Lets iterations run again where that is cheaper than \p Price, what the plan
/// costs as it is. From the outermost loops inwards: what one iteration of an
/// outer loop keeps stays in the cache as a rule, and less is needed to begin.
void chooseReruns(Plan &P, const NeedSet &Needs, const ProgramOrder &Order,
                  uint64_t Price) {
  SmallVector<std::unique_ptr<RerunAnalysis>, 4> Chosen;
  const unsigned Versions = P.F->P->General ? 2 : 1;
  unsigned Tried = 0;
  for (const auto &L : P.F->P->Loops) {
    bool IsWithin = any_of(
        Chosen, [&](const auto &A) { return A->loop().L->contains(L->L); });
    if (IsWithin || Tried == MaxRerunsTried)
      continue;
    auto A = std::make_unique<RerunAnalysis>(*P.F, *L);
    // One value after the other: that is what the cut does anyway.
    const bool IsPlain =
        L->L->isInnermost() && !A->hasScratch() && !A->hasFills();
    if (IsPlain || !A->isPossible() || !keepsInside(P, *A))
      continue;
    ++Tried;
    Chosen.push_back(std::move(A));
    SmallVector<const RerunAnalysis *, 4> Reruns;
    for (const auto &Other : Chosen)
      Reruns.push_back(Other.get());
    const uint64_t Bytes = bytesKept(P);
    Variant Before;
    Before.swapWith(P);
    std::optional<uint64_t> Now = decide(P, Needs, Order, Reruns);
    const bool IsFaster = Now && *Now < Price - Price / (RerunGain * Versions);
    const bool IsSmaller = Now && *Now <= Price &&
                           bytesKept(P) < Bytes - Bytes / (TapeGain * Versions);
    if (IsFaster || IsSmaller ||
        (Now && Options::get().Reruns == RunAgain::Always)) {
      Price = *Now;
      continue;
    }
    Before.swapWith(P);
    Chosen.pop_back();
  }
}

void recordArguments(Plan &P) {
  const Function &F = *P.F->P->F;
  P.ReverseReadsPrimal.assign(F.arg_size(), false);
  P.ReverseReadsShadow.assign(F.arg_size(), false);
  for (const Argument &A : F.args()) {
    P.ReverseReadsPrimal[A.getArgNo()] = P.find(&A, Part::Primal) != nullptr;
    P.ReverseReadsShadow[A.getArgNo()] = P.find(&A, Part::Shadow) != nullptr;
  }
}

} // namespace

/// A plan of the calls, with what the rules need in \p Found. Null after a
/// report.
static std::unique_ptr<Plan> planRules(const Facts &F, CalleeProvider &Callees,
                                       Diagnostics &Diags, const Origin &From,
                                       Collector &Found) {
  auto Result = std::make_unique<Plan>();
  Result->F = &F;
  Result->Rules = rulesOf(F);
  bool CallsFine =
      planCalls(F, blocksOf(F), Callees, Diags, From, Result->Calls);
  Result->Replicas = chooseReplicas(F, Result->Rules);
  visitRuleNeeds(*Result, Found);
  visitReplicaNeeds(*Result, Found);
  Result->GeneralOnly = F.P->General && F.R.Kind.isForward();
  if (!F.R.Kind.isForward())
    visitControlNeeds(F, Found);
  return CallsFine && Found.Fine ? std::move(Result) : nullptr;
}

/// A gradient with states is no code that can be reversed, and a forward
/// derivative of a loop function would keep all steps.
static bool hasStates(const Facts &F, Diagnostics &Diags, const Origin &From) {
  const bool Has = any_of(instructions(*F.P->F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call &&
           (checkpoints::isOfStates(*Call) || checkpoints::isForward(*Call));
  });
  if (Has)
    Diags.report(Diag::CheckpointTwice, From, nullptr, {});
  return Has;
}

std::unique_ptr<Plan> makePlan(const Facts &F, CalleeProvider &Callees,
                               Diagnostics &Diags,
                               std::shared_ptr<const Origin> From) {
  if (hasStates(F, Diags, *From))
    return nullptr;
  Collector Found(Diags, *From);
  auto Result = planRules(F, Callees, Diags, *From, Found);
  if (!Result)
    return nullptr;
  if (checkpoints::layoutOf(*F.P->F)) {
    if (!planSteps(*Result, Diags, *From))
      return nullptr;
    recordArguments(*Result);
    return Result;
  }
  needShadowStorage(F, Found.Needs);
  ProgramOrder Order(*F.P);
  std::optional<uint64_t> Price = decide(*Result, Found.Needs, Order, {});
  if (!Price) {
    Diags.report(
        Diag::TooLarge, *From, nullptr,
        {sourceName(*F.P->F), std::to_string(Options::get().MaxPlanValues)});
    return nullptr;
  }
  if (Options::get().Reruns != RunAgain::Never)
    chooseReruns(*Result, Found.Needs, Order, *Price);
  if (refuseDeviceMemory(*Result, Diags, *From))
    return nullptr;
  recordArguments(*Result);
  return Result;
}

std::unique_ptr<Plan> makeForwardPlan(const Facts &F, CalleeProvider &Callees,
                                      Diagnostics &Diags,
                                      std::shared_ptr<const Origin> From) {
  // The rules are asked for what they refuse; what they need is at hand.
  Collector Found(Diags, *From);
  return planRules(F, Callees, Diags, *From, Found);
}

} // namespace adze
