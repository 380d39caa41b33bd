// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Needs.h"
#include "DeviceLimits.h"
#include "adze/Checkpoints.h"
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/Mpi.h"
#include "adze/NotFinite.h"
#include "adze/Options.h"
#include "adze/ParallelRuntime.h"
#include "adze/Rule.h"
#include "adze/SerialThreads.h"
#include "adze/Tasks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

NeedsVisitor::~NeedsVisitor() = default;

namespace {

class Recorder : public NeedsContext {
public:
  Recorder(const Plan &P, NeedsVisitor &Visitor)
      : NeedsContext(*P.F), P(P), Visitor(Visitor) {}

  const Instruction *At = nullptr;

  const CallPlan *callPlan(const CallBase &Call) override {
    return P.callPlan(Call);
  }

  void primal(const Value *V) override {
    if (!isa<Constant>(V))
      Visitor.need({V, Part::Primal}, *At);
  }

  void shadow(const Value *V) override {
    // Null and undefined pointers point to nothing that could be active.
    if (isa<ConstantPointerNull, UndefValue, ConstantAggregateZero>(V))
      return;
    bool SelfShadowed = !hasShadow(V) && facts().R.RuntimeActivity;
    if (!hasShadow(V) && !SelfShadowed)
      return Visitor.problem(*At, Diag::MissingShadow, {describe(V)});
    if (isa<Constant>(V))
      return;
    if (!SelfShadowed)
      Visitor.need({V, Part::Shadow}, *At);
    if (SelfShadowed || mayBeSelfShadowed(V))
      Visitor.need({V, Part::Primal}, *At);
  }

  void tape(const CallBase *Call) override {
    const CallPlan *Plan = callPlan(*Call);
    if (!Plan)
      return Visitor.problem(*At, Diag::Internal,
                             {"a rule asks for the tape of a call that has no "
                              "plan"});
    if (Plan->HasTape)
      Visitor.need({Call, Part::Tape}, *At);
  }

  using NeedsContext::refuse;
  void refuse(const Instruction &I, Diag ID, ArrayRef<std::string> Args,
              ArrayRef<Witness> Facts) override {
    Visitor.problem(I, ID, Args, Facts);
  }

private:
  const Plan &P;
  NeedsVisitor &Visitor;
};

std::string textOf(const Instruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  I.print(OS);
  return StringRef(OS.str()).ltrim().str();
}

void reportWithoutRule(const Instruction &I, NeedsVisitor &Visitor) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return Visitor.problem(I, Diag::UnsupportedInstruction, {textOf(I)});
  if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return Visitor.problem(I, Diag::InlineAsm, {Asm->getAsmString()});
  auto *Callee =
      dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
  if (!Callee && I.hasMetadata(ManyTargets))
    return Visitor.problem(I, Diag::ManyTargets,
                           {std::to_string(Options::get().MaxCallTargets)});
  if (!Callee)
    return Visitor.problem(I, Diag::IndirectCall, {});
  if (Callee->isDeclaration() && !Callee->isIntrinsic() &&
      !lookupKnown(*Call)) {
    MissingFunction Missing = missingFunction(*Callee);
    return Visitor.problem(I, Missing.ID, Missing.Args);
  }
  if (std::optional<MissingFunction> Gap = deviceGap(*Callee))
    return Visitor.problem(I, Gap->ID, Gap->Args);
  Visitor.problem(I, Diag::UnsupportedInstruction,
                  {"a call of '" + sourceName(*Callee) + "'"});
}

} // namespace

std::vector<const BasicBlock *> blocksOf(const Facts &F) {
  std::vector<const BasicBlock *> Blocks;
  const Function &Fn = *F.P->F;
  for (const BasicBlock *B : ReversePostOrderTraversal<const Function *>(&Fn))
    if (F.R.Kind.isForward() || F.P->canReturn(B))
      Blocks.push_back(B);
  return Blocks;
}

/// What Prepare makes no code of, and no mode can leave as it is: data that
/// another device changes, leagues of more than one team.
static bool isLeftOfOpenMP(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  const KnownFunction *Known = Callee ? lookupKnown(*Call) : nullptr;
  return Known && Known->Facts.By == Derivation::Mirror && !Known->Mirror &&
         parallelModelOf(*Callee) == "OpenMP";
}

/// Threads that run \p Call may wait for each other in what it calls, whatever
/// is active there. Of functions without a body, visitTeamNeeds tells.
static bool meetWithin(const CallBase &Call, const Facts &F) {
  const Function *Callee = Call.getCalledFunction();
  return F.R.InTeam != TeamRole::None && !F.R.Kind.isForward() &&
         !(Callee && (Callee->isDeclaration() || lookupKnown(Call))) &&
         tasks::mayWaitIn(Call);
}

bool isDerived(const CallBase &Call, const Facts &F) {
  return F.Activity->isActiveInstruction(&Call) || meetWithin(Call, F);
}

static bool hasRule(const Instruction &I, const Facts &F) {
  if (auto *Call = dyn_cast<CallBase>(&I); Call && isDerived(*Call, F))
    return true;
  return F.Activity->isActiveInstruction(&I) ||
         (!F.R.Kind.isForward() && needsRuleIfInactive(I)) || isLeftOfOpenMP(I);
}

RuleMap rulesOf(const Facts &F) {
  RuleMap Rules;
  for (const BasicBlock *B : blocksOf(F))
    for (const Instruction &I : *B)
      if (!isa<PHINode>(I) && !I.isTerminator() && hasRule(I, F))
        Rules.insert({&I, lookupRule(I, F)});
  return Rules;
}

namespace {

/// Threads may wait for each other at \p I, or what one has written before it
/// be seen by others behind theirs, in a way that the reverse pass does not
/// mirror. Counts (of shared pointers) are only counted.
bool ordersThreads(const Instruction &I) {
  auto isStrong = [](AtomicOrdering O) {
    return isStrongerThan(O, AtomicOrdering::Monotonic);
  };
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return !isRelaxedSum(*RMW) && !isRelaxedChange(*RMW) &&
           isStrong(RMW->getOrdering()) &&
           RMW->getOperation() != AtomicRMWInst::Add &&
           RMW->getOperation() != AtomicRMWInst::Sub;
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return isStrong(Exchange->getMergedOrdering());
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isStrong(Load->getOrdering());
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isStrong(Store->getOrdering());
  // Of fences on a GPU, visitDeviceNeeds tells.
  return isa<FenceInst>(I) && !isDevice(*I.getModule());
}

/// What a reverse pass in a team could not take back, active or not.
void visitTeamNeeds(const Facts &F, NeedsVisitor &Visitor) {
  if (F.R.InTeam == TeamRole::None || F.R.Kind.isForward())
    return;
  // Each thread would put all of the state back, and the others' parts with it.
  if (checkpoints::layoutOf(*F.P->F))
    Visitor.problem(F.P->F->getEntryBlock().front(), Diag::InTeam,
                    {"a loop with 'adze_checkpoint'"});
  for (const BasicBlock *B : blocksOf(F))
    for (const Instruction &I : *B) {
      if (ordersThreads(I))
        Visitor.problem(I, Diag::InTeam,
                        {"an atomic operation that orders what threads do"});
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Callee->getName().starts_with(ThreadFunctionPrefix) &&
          !Callee->getName().starts_with(SpinPrefix))
        Visitor.problem(I, Diag::InTeam,
                        {"a thread or a mutex that is not OpenMP's"});
      if (Callee && mpi::isRuntime(*Callee)) // it has a list that threads share
        Visitor.problem(I, Diag::InTeam,
                        {"an operation of MPI that is made or freed "
                         "(MPI_Op_create)"});
      if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic() ||
          lookupKnown(*Call) || Call->hasFnAttr(Attribute::NoSync) ||
          (given::isExchange(*Callee) &&
           (given::teamHookOf(*Callee) || !isDeclaredInactive(*Call))))
        continue; // of other exchanges, GivenPlan.h tells
      if (!parallelModelOf(*Callee).empty() || deviceGap(*Callee)) {
        MissingFunction Missing = missingFunction(*Callee);
        Visitor.problem(I, Missing.ID, Missing.Args);
        continue;
      }
      Visitor.problem(I, Diag::InTeam,
                      {"a call of '" + sourceName(*Callee) +
                       "', of which nobody knows whether threads wait there "
                       "(declare it inactive if they do not)"});
    }
}

} // namespace

void visitRuleNeeds(const Plan &P, NeedsVisitor &Visitor) {
  Recorder Context(P, Visitor);
  const bool Trap = !P.F->R.Kind.isForward() && Options::get().TrapNaN;
  visitTeamNeeds(*P.F, Visitor);
  visitDeviceNeeds(*P.F, Visitor);
  for (auto [I, R] : P.Rules) {
    Context.At = I;
    if (R)
      R->needs(*I, Context);
    else
      reportWithoutRule(*I, Visitor);
    if (Trap && mayHavePole(*I))
      Context.primal(I);
  }
}

void visitReplicaNeeds(const Plan &P, NeedsVisitor &Visitor) {
  if (!P.F->P->ReturnBlock)
    return;
  const Instruction &End = *P.F->P->ReturnBlock->getTerminator();
  for (const Replica &R : P.Replicas) {
    if (!R.ByPages && !isa<Constant>(R.Base))
      Visitor.need({R.Base, Part::Shadow}, End);
    for (const Value *Leaf : R.leaves())
      Visitor.need({Leaf, Part::Primal}, End);
  }
}

void visitControlNeeds(const Facts &F, NeedsVisitor &Visitor) {
  for (const auto &[Block, Entry] : F.P->EnteredFrom)
    if (!isa<Constant>(Entry.Index))
      Visitor.need({Entry.Index, Part::Primal}, *Block->getTerminator());
  for (const auto &[Block, Exits] : F.P->ExitCounters)
    for (const LoopExit &Exit : Exits)
      if (!isa<Constant>(Exit.Counter))
        Visitor.need({Exit.Counter, Part::Primal}, *Block->getTerminator());
}

} // namespace adze
