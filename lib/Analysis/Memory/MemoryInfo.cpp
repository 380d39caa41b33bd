// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every reading instruction R the analysis looks for a writer W with
//   (1) W may run after R (control flow graph, around back edges too), and
//   (2) W may modify what R read (alias analysis; in cross-iteration mode if
//       R or W stands in a loop, since then they may see different values of
//       the same variables), and does so in an execution after that of R
//       (AccessOrder),
// and asks whether the caller may overwrite R's memory after the return.
//
// Memory allocated in a loop is other memory in each iteration, so there (1)
// asks for paths that do not pass the allocation again.
//
// Writers are grouped by base pointer, and groups that cannot alias the base
// of a read are skipped as a whole; writers at constant offsets from the very
// base of the read are found by bisection. What remains is bounded by a budget
// of alias queries, beyond which every answer is "overwritten".
#include "adze/MemoryInfo.h"
#include "Analysis/Memory/TeamWrites.h"
#include "Analysis/Memory/WriterGroups.h"
#include "Loops/LoopMemory.h"
#include "adze/Analyses.h"
#include "adze/KnownFunction.h"
#include "adze/Teams.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

MemoryInfo::~MemoryInfo() = default;

namespace {

constexpr unsigned QueryBudget = 4000000;
/// Groups of up to this many writers are compared one by one.
constexpr size_t SmallGroup = 4;

struct Verdict {
  bool Overwritten = false;
  const Instruction *By = nullptr;
};

bool orderedAccess(const Instruction &I) {
  return I.isVolatile() ||
         (I.isAtomic() &&
          (!isa<LoadInst>(I) ||
           isStrongerThanUnordered(cast<LoadInst>(I).getOrdering())));
}

class Analyzer {
public:
  Analyzer(const Primal &P, const Request &R, const ReleaseFilter &Stays);
  std::optional<Verdict> verdict(const Instruction &I);
  Verdict verdictOfAlternative(const LoadInst &Load);
  const Loop *invariantInAlternative(const LoadInst &Load);
  CallerWrites afterCall(const CallBase &Call);
  const Loop *invariantIn(const LoadInst &Load);
  bool storeSurvives(const StoreInst &Store);

private:
  using Advancing = SmallVector<MemoryLocation, 2>;

  void collect(const ReleaseFilter &Stays);
  Advancing locationsOf(const AlternativeRead &Read) const;
  LoopAccess walkOf(const LoadInst &Load, const AlternativeRead &Read);
  Verdict verdictOfLocation(const Instruction *I, const MemoryLocation &Loc,
                            bool OwnWritesCount = true);
  Verdict verdictOfCall(const CallBase &Call, ModRefInfo How,
                        bool OwnWritesCount = true);
  const Instruction *writerInGroup(const Instruction *I,
                                   const MemoryLocation &Loc, const Group &G);
  bool overwrites(const Instruction *I, const MemoryLocation &Loc,
                  const Access &W);
  const Instruction *writerOfOthers(const Instruction *I,
                                    const MemoryLocation &Loc);
  bool mayFollow(const Instruction *I, const Instruction *W);
  bool writesIn(const Loop &L, const MemoryLocation &Loc,
                const LoadInst *Load = nullptr);
  const Instruction *newPerIteration(const Value *A, const Value *B,
                                     const Instruction *I,
                                     const Instruction *W) const;
  bool inLoop(const Instruction *I) const {
    return P.LI->getLoopFor(I->getParent()) != nullptr;
  }
  Times times(const Instruction *A, const Instruction *B) const {
    return inLoop(A) || inLoop(B) ? Times::any() : Times::same();
  }
  bool basesMayAlias(const Value *A, const Value *B);
  bool sameAtAllTimes(const Value *Base) const;
  bool callerOverwrites(const Value *Ptr) const;

  const Primal &P;
  const Request &R;
  const DataLayout &DL;
  LoopMemory &M;
  LoopAlias &Alias;
  Reachability &Reach;
  TeamWrites Team;
  bool AnyPromiseMissing;

  std::vector<Group> Groups;
  std::vector<const WriteEffect *> Loose; // calls that may write anywhere
  DenseMap<std::pair<const Value *, const Value *>, bool> BaseAlias;
  bool OwnWrites = true;
  const Instruction *NotItself = nullptr;  // never overwrites what it accessed
  ArrayRef<const Instruction *> Elsewhere; // never overwrite what is asked for
  const LoopAccess *Walk = nullptr; // what is asked for, if it is no access of
                                    // the primal
};

Analyzer::Analyzer(const Primal &P, const Request &R,
                   const ReleaseFilter &Stays)
    : P(P), R(R), DL(P.F->getDataLayout()), M(loopMemoryOf(P, QueryBudget)),
      Alias(M.Alias), Reach(M.Reach), Team(R),
      AnyPromiseMissing(R.MayBeOverwritten.any()) {
  collect(Stays);
}

void Analyzer::collect(const ReleaseFilter &Stays) {
  WriterGroups ByBase(DL);
  for (const WriteEffect &E : M.Writers.all()) {
    // What is written on the way to a trap is never read by a reverse pass.
    if (!P.Returning.empty() && !P.canReturn(E.I->getParent()))
      continue;
    if (E.Releases && Stays && Stays(*E.I))
      continue;
    if (teams::isMeeting(*E.I)) {
      Team.addMeeting(*E.I);
      continue;
    }
    ByBase.add(E);
    if (E.Anywhere)
      Loose.push_back(&E);
  }
  Groups = ByBase.take();
  for (const Group &G : Groups)
    Team.addWritten(*G.Base);
  if (!Loose.empty())
    Team.addAnything();
}

/// A place behind \p I where it may be seen that others have overwritten
/// \p Loc.
const Instruction *Analyzer::writerOfOthers(const Instruction *I,
                                            const MemoryLocation &Loc) {
  auto At = find_if(Team.meetings(), [&](const Instruction *Meeting) {
    return mayFollow(I, Meeting);
  });
  return At != Team.meetings().end() && Team.othersMayWrite(Loc.Ptr) ? *At
                                                                     : nullptr;
}

/// The value is the same address whenever the function looks at it.
bool Analyzer::sameAtAllTimes(const Value *Base) const {
  auto *I = dyn_cast<Instruction>(Base);
  return !I || !inLoop(I);
}

bool Analyzer::basesMayAlias(const Value *A, const Value *B) {
  auto [It, New] = BaseAlias.try_emplace({A, B}, true);
  if (New)
    It->second =
        Alias.mayAlias(MemoryLocation::getBeforeOrAfter(A),
                       MemoryLocation::getBeforeOrAfter(B), Times::any());
  return It->second;
}

/// An instruction may overwrite what it has itself read.
bool Analyzer::mayFollow(const Instruction *I, const Instruction *W) {
  if ((I == W && I == NotItself) || is_contained(Elsewhere, W))
    return false;
  return (I == W && OwnWrites) || Reach.after(I, W);
}

/// If both pointers lead into memory that one allocation in a loop makes anew
/// for each iteration, and both accesses stand in that loop: the allocation.
const Instruction *Analyzer::newPerIteration(const Value *A, const Value *B,
                                             const Instruction *I,
                                             const Instruction *W) const {
  const Value *Object = getUnderlyingObject(A, /*MaxLookup=*/0);
  auto *New = dyn_cast<CallBase>(Object);
  if (!New || !isNoAliasCall(New) ||
      getUnderlyingObject(B, /*MaxLookup=*/0) != New)
    return nullptr;
  const Loop *L = P.LI->getLoopFor(New->getParent());
  return L && L->contains(I) && L->contains(W) ? New : nullptr;
}

bool Analyzer::overwrites(const Instruction *I, const MemoryLocation &Loc,
                          const Access &W) {
  if (!mayFollow(I, W.I) || Team.areApart(Loc.Ptr, W.Loc.Ptr))
    return false;
  Times T = times(I, W.I);
  if (const Instruction *New = newPerIteration(Loc.Ptr, W.Loc.Ptr, I, W.I)) {
    bool Itself = I == W.I && OwnWrites;
    if (!Itself && !Reach.afterAvoiding(I, W.I, New->getParent()))
      return false;
    const Loop *L = P.LI->getLoopFor(New->getParent());
    if (P.LI->getLoopFor(I->getParent()) == L &&
        P.LI->getLoopFor(W.I->getParent()) == L)
      T = Times::same();
  }
  return Alias.mayAlias(W.Loc, Loc, T) &&
         (T.areSame() || !(Walk ? M.Order.neverAfter(*Walk, W.I)
                                : M.Order.neverAfter(I, W.I)));
}

const Instruction *Analyzer::writerInGroup(const Instruction *I,
                                           const MemoryLocation &Loc,
                                           const Group &G) {
  auto First = G.Writers.begin(), Last = G.Writers.end();
  if (G.Writers.size() > SmallGroup) {
    int64_t Offset;
    const Value *Base = stripOffset(Loc.Ptr, DL, Offset);
    if (!basesMayAlias(Base, G.Base))
      return nullptr;
    bool SizesKnown = G.LargestWrite <= INT32_MAX && Loc.Size.hasValue() &&
                      !Loc.Size.isScalable() &&
                      Loc.Size.getValue().getFixedValue() <= INT32_MAX;
    if (Base == G.Base && SizesKnown && sameAtAllTimes(Base)) {
      int64_t Begin = Offset - int64_t(G.LargestWrite);
      int64_t End = Offset + int64_t(Loc.Size.getValue().getFixedValue());
      First = partition_point(
          G.Writers, [&](const Access &W) { return W.Offset <= Begin; });
      Last = std::partition_point(
          First, Last, [&](const Access &W) { return W.Offset < End; });
    }
  }
  for (; First != Last; ++First)
    if (overwrites(I, Loc, *First))
      return First->I;
  return nullptr;
}

/// Memory behind \p Ptr that the caller may change after the return.
bool Analyzer::callerOverwrites(const Value *Ptr) const {
  if (!AnyPromiseMissing)
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects);
  for (const Value *Object : Objects) {
    if (auto *A = dyn_cast<Argument>(Object)) {
      unsigned No = A->getArgNo();
      // A reverse half is given the caller's memory for a byval argument too.
      const auto &Arguments = R.MayBeOverwritten.Arguments;
      if (No >= Arguments.size() || Arguments[No])
        return true;
      continue;
    }
    if (isa<AllocaInst>(Object) || isa<ConstantPointerNull>(Object))
      continue;
    if (auto *G = dyn_cast<GlobalVariable>(Object); G && G->isConstant())
      continue;
    if (isNoAliasCall(Object) &&
        !PointerMayBeCaptured(Object, /*ReturnCaptures=*/true,
                              /*StoreCaptures=*/true))
      continue;
    return true;
  }
  return false;
}

Verdict Analyzer::verdictOfLocation(const Instruction *I,
                                    const MemoryLocation &Loc,
                                    bool OwnWritesCount) {
  OwnWrites = OwnWritesCount;
  // Constant while the function runs: that is what readonly and noalias say of
  // an argument. Its caller may still write there later.
  if (Alias.isConstant(Loc))
    return {callerOverwrites(Loc.Ptr), nullptr};
  if (auto *L = dyn_cast<LoadInst>(I);
      L && L->hasMetadata(LLVMContext::MD_invariant_load))
    return {};
  if (const Instruction *Meeting = writerOfOthers(I, Loc))
    return {true, Meeting};
  for (const Group &G : Groups)
    if (const Instruction *W = writerInGroup(I, Loc, G))
      return {true, W};
  for (const WriteEffect *W : Loose)
    if (mayFollow(I, W->I) &&
        M.Writers.mayWriteAnywhere(*W, Loc, times(I, W->I)))
      return {true, W->I};
  return {callerOverwrites(Loc.Ptr), nullptr};
}

/// The memory that \p Call accesses in one of the ways \p How.
Verdict Analyzer::verdictOfCall(const CallBase &Call, ModRefInfo How,
                                bool OwnWritesCount) {
  OwnWrites = OwnWritesCount;
  for (const Instruction *Meeting : Team.meetings())
    if (mayFollow(&Call, Meeting))
      return {true, Meeting};
  for (const Group &G : Groups)
    for (const Access &W : G.Writers)
      if (mayFollow(&Call, W.I) &&
          Alias.mayAccess(Call, W.Loc, How, times(&Call, W.I)))
        return {true, W.I};
  for (const WriteEffect *W : Loose) {
    if (!mayFollow(&Call, W->I))
      continue;
    auto *Writer = dyn_cast<CallBase>(W->I);
    if (!Writer || Alias.mayAccess(Call, *Writer, How, times(&Call, W->I)))
      return {true, W->I};
  }
  if (!AnyPromiseMissing)
    return {};
  if (!Call.onlyAccessesArgMemory())
    return {true, nullptr};
  for (const Value *Arg : Call.args())
    if (Arg->getType()->isPtrOrPtrVectorTy() && callerOverwrites(Arg))
      return {true, nullptr};
  return {};
}

/// Nothing for instructions that read no memory.
std::optional<Verdict> Analyzer::verdict(const Instruction &I) {
  if (!I.mayReadFromMemory() || isa<FenceInst>(I) || isa<ReturnInst>(I) ||
      I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
    return std::nullopt;
  if (orderedAccess(I))
    return Verdict{true, nullptr};
  if (auto *Move = dyn_cast<AnyMemTransferInst>(&I))
    return verdictOfLocation(&I, MemoryLocation::getForSource(Move));
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (const KnownFunction *Known = lookupKnown(*Call)) {
      if (Known->Facts.Reads == Reach::None)
        return std::nullopt;
      if (Known->Facts.Reads == Reach::Second)
        return verdictOfLocation(
            &I, MemoryLocation::getForArgument(Call, 1, &Alias.TLI));
    }
    return verdictOfCall(*Call, ModRefInfo::Ref);
  }
  if (auto Loc = MemoryLocation::getOrNone(&I))
    return verdictOfLocation(&I, *Loc);
  return Verdict{true, nullptr};
}

/// Promises of restrict are those of the accesses' own places.
Analyzer::Advancing Analyzer::locationsOf(const AlternativeRead &Read) const {
  Advancing Result;
  for (const Instruction *I : Read.Accesses) {
    MemoryLocation Loc = MemoryLocation::get(I);
    Loc.AATags.Scope = Loc.AATags.NoAlias = nullptr;
    Result.push_back(Loc);
  }
  return Result;
}

LoopAccess Analyzer::walkOf(const LoadInst &Load, const AlternativeRead &Read) {
  ScalarEvolution &SE = M.SE;
  const SCEV *Start = SE.getSCEV(const_cast<Value *>(Read.Start));
  const SCEV *Step = SE.getConstant(SE.getEffectiveSCEVType(Start->getType()),
                                    Read.Step, /*isSigned=*/true);
  // Behind it comes all that the iteration executes.
  return {&Read.Over->L->getHeader()->front(),
          SE.getAddRecExpr(Start, Step, Read.Over->L, SCEV::FlagAnyWrap),
          DL.getTypeStoreSize(Load.getType()).getFixedValue()};
}

/// A load that stands nowhere reads what accesses of the primal touch.
///   * What an earlier loop's load read: nothing has written to it since, or
///     its value would be no alternative.
///   * A copy, which nobody overwrites; or else what the load reads of which it
///     is an alternative, where stores that write to the copied part do not.
///   * What advances with a loop: all that touches it is asked for, as if it
///     were touched at the place of this load.
Verdict Analyzer::verdictOfAlternative(const LoadInst &Load) {
  const AlternativeRead &Read = *P.Elsewhere.readOf(&Load);
  if (Read.Same) {
    if (Read.Copy && !Read.OrMemory)
      return {};
    if (Read.Copy)
      Elsewhere = P.snapshotAt(Read.Copy)->Covered;
    Verdict Result = P.Elsewhere.readOf(Read.Same)
                         ? verdictOfAlternative(*Read.Same)
                         : verdict(*Read.Same).value_or(Verdict{true, nullptr});
    Elsewhere = {};
    return Result;
  }
  if (Load.getType()->isScalableTy())
    return {true, nullptr};
  LoopAccess Access = walkOf(Load, Read);
  Walk = &Access;
  Verdict Result;
  for (const MemoryLocation &Loc : locationsOf(Read))
    if (!Result.Overwritten)
      Result = verdictOfLocation(Access.I, Loc);
  Walk = nullptr;
  return Result;
}

CallerWrites Analyzer::afterCall(const CallBase &Call) {
  CallerWrites Writes;
  Writes.Arguments.assign(Call.arg_size(), false);
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    const Value *Arg = Call.getArgOperand(I);
    if (Arg->getType()->isVectorTy() || !Arg->getType()->isPtrOrPtrVectorTy())
      continue;
    Writes.Arguments[I] =
        verdictOfLocation(&Call, MemoryLocation::getBeforeOrAfter(Arg),
                          /*OwnWritesCount=*/false)
            .Overwritten;
  }
  // What the callee stores counts as well: its reverse pass may load it again
  // (storeSurvives).
  Writes.Elsewhere = !Call.doesNotAccessMemory() &&
                     !Call.onlyAccessesArgMemory() &&
                     verdictOfCall(Call, ModRefInfo::ModRef,
                                   /*OwnWritesCount=*/false)
                         .Overwritten;
  return Writes;
}

/// Something in \p L may write to \p Loc, in whatever iteration. With \p Load,
/// which reads it, only what is written where the load may read in one run of
/// \p L counts: not what lies beside that in the same block.
bool Analyzer::writesIn(const Loop &L, const MemoryLocation &Loc,
                        const LoadInst *Load) {
  auto isApart = [&](const Instruction *W) {
    return Load && M.Ranges.areDisjoint(*const_cast<Instruction *>(W), &L,
                                        *const_cast<LoadInst *>(Load), &L);
  };
  int64_t Offset;
  const Value *Base = stripOffset(Loc.Ptr, DL, Offset);
  for (const Group &G : Groups) {
    if (G.Writers.size() > SmallGroup && !basesMayAlias(Base, G.Base))
      continue;
    for (const Access &W : G.Writers)
      if (L.contains(W.I) && Alias.mayAlias(W.Loc, Loc, Times::any()) &&
          !isApart(W.I))
        return true;
  }
  if (any_of(Team.meetings(), [&](auto *I) { return L.contains(I); }) &&
      Team.othersMayWrite(Loc.Ptr))
    return true;
  return any_of(Loose, [&](const WriteEffect *W) {
    return L.contains(W->I) &&
           M.Writers.mayWriteAnywhere(*W, Loc, Times::any());
  });
}

const Loop *Analyzer::invariantIn(const LoadInst &Load) {
  const Loop *Steady = nullptr;
  if (orderedAccess(Load))
    return Steady;
  MemoryLocation Loc = MemoryLocation::get(&Load);
  for (const Loop *L = P.LI->getLoopFor(Load.getParent());
       L && !writesIn(*L, Loc, &Load); L = L->getParentLoop())
    Steady = L;
  return Steady;
}

const Loop *Analyzer::invariantInAlternative(const LoadInst &Load) {
  const AlternativeRead &Read = *P.Elsewhere.readOf(&Load);
  auto outermost = [&](auto Condition) {
    const Loop *Steady = nullptr;
    for (const Loop *L = P.LI->getLoopFor(P.blockOf(&Load)); L && Condition(*L);
         L = L->getParentLoop())
      Steady = L;
    return Steady;
  };
  if (!Read.Same) {
    Advancing Locs = locationsOf(Read);
    return outermost([&](const Loop &L) {
      return none_of(Locs, [&](auto &Loc) { return writesIn(L, Loc); });
    });
  }
  if (Read.Copy && !Read.OrMemory)
    return outermost([](const Loop &) { return true; });
  const Loop *Steady = P.Elsewhere.readOf(Read.Same)
                           ? invariantInAlternative(*Read.Same)
                           : invariantIn(*Read.Same);
  const BasicBlock *Block = P.blockOf(&Load);
  if (Read.Copy || (Steady && Steady->contains(Block)))
    return Steady;
  // Nothing between the load of the earlier loop and this one writes there, nor
  // in loops around this one alone.
  const BasicBlock *Earlier = P.blockOf(Read.Same);
  return outermost([&](const Loop &L) { return !L.contains(Earlier); });
}

bool Analyzer::storeSurvives(const StoreInst &Store) {
  if (!Store.isSimple() ||
      (inLoop(&Store) && !M.Order.neverAfter(&Store, &Store)))
    return false;
  NotItself = &Store;
  bool Overwritten = verdictOfLocation(&Store, MemoryLocation::get(&Store),
                                       /*OwnWritesCount=*/false)
                         .Overwritten;
  NotItself = nullptr;
  return !Overwritten;
}

//===----------------------------------------------------------------------===//
// The answers
//===----------------------------------------------------------------------===//

class MemoryInfoImpl : public MemoryInfo {
public:
  MemoryInfoImpl(const Primal &P, const Request &R, const ReleaseFilter &Stays)
      : F(P.F) {
    Analyzer A(P, R, Stays);
    for (const Instruction *I : P.Elsewhere.code())
      if (auto *Load = dyn_cast<LoadInst>(I)) {
        Verdicts[I] = A.verdictOfAlternative(*Load);
        if (const Loop *L = A.invariantInAlternative(*Load))
          Steady[I] = L;
      }
    for (const Instruction &I : instructions(*P.F)) {
      if (std::optional<Verdict> V = A.verdict(I))
        Verdicts[&I] = *V;
      if (auto *Load = dyn_cast<LoadInst>(&I))
        if (const Loop *L = A.invariantIn(*Load))
          Steady[&I] = L;
      if (auto *Store = dyn_cast<StoreInst>(&I);
          Store && A.storeSurvives(*Store))
        Staying.insert(&I);
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && !lookupKnown(*Call) && !isa<IntrinsicInst>(Call))
        AfterCall[&I] = A.afterCall(*Call);
    }
  }

  bool mayBeOverwritten(const Instruction *Read) const override {
    return Verdicts.lookup(Read).Overwritten;
  }

  const Instruction *overwriter(const Instruction *Read) const override {
    return Verdicts.lookup(Read).By;
  }

  const Loop *invariantIn(const Instruction *Read) const override {
    return Steady.lookup(Read);
  }

  bool storeSurvives(const StoreInst *Store) const override {
    return Staying.contains(Store);
  }

  CallerWrites overwrittenAfter(const CallBase &Call) const override {
    auto It = AfterCall.find(&Call);
    return It != AfterCall.end()
               ? It->second
               : CallerWrites{SmallVector<bool, 8>(Call.arg_size(), true),
                              true};
  }

  void print(raw_ostream &OS) const override {
    OS << "memory of " << F->getName() << "\n";
    for (const Instruction &I : instructions(*F)) {
      auto It = Verdicts.find(&I);
      if (It == Verdicts.end())
        continue;
      OS << I << "\n    ";
      if (!It->second.Overwritten)
        OS << "-> survives\n";
      else if (It->second.By)
        OS << "-> overwritten by" << *It->second.By << "\n";
      else
        OS << "-> overwritten by the caller or another thread\n";
    }
  }

private:
  const Function *F;
  DenseMap<const Instruction *, Verdict> Verdicts;
  DenseMap<const Instruction *, const Loop *> Steady;
  DenseSet<const Instruction *> Staying;
  DenseMap<const Instruction *, CallerWrites> AfterCall;
};

} // namespace

std::unique_ptr<MemoryInfo> analyzeMemory(const Primal &P, const Request &R,
                                          const ReleaseFilter &StaysAllocated) {
  return std::make_unique<MemoryInfoImpl>(P, R, StaysAllocated);
}

} // namespace adze
