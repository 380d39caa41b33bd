// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Replicas.h"
#include "Analysis/Sharing/ThreadObjects.h"
#include "Analysis/Sharing/UniformReads.h"
#include "Loops/EntryBounds.h"
#include "adze/AtomicSum.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "adze/Tasks.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

bool isCalculation(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || I->getType()->isVectorTy())
    return false;
  if (auto *Call = dyn_cast<IntrinsicInst>(I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return true;
    default:
      return false;
    }
  return isa<BinaryOperator, ICmpInst, CastInst, SelectInst>(I) &&
         isSafeToSpeculativelyExecute(I);
}

namespace {

/// What a value or expression is calculated of.
class LeafFinder {
public:
  explicit LeafFinder(SmallSetVector<const Value *, 8> &Leaves)
      : Leaves(Leaves) {}

  void add(const Value *V) {
    if (isa<Constant>(V) || !Seen.insert(V).second)
      return;
    if (!isCalculation(*V))
      Leaves.insert(V);
    else
      for (const Use &Op : cast<Instruction>(V)->operands())
        add(Op);
  }
  void add(const SCEV *S) {
    SCEVExprContains(S, [&](const SCEV *Part) {
      if (auto *Leaf = dyn_cast<SCEVUnknown>(Part))
        add(Leaf->getValue());
      return false;
    });
  }

private:
  SmallSetVector<const Value *, 8> &Leaves;
  SmallPtrSet<const Value *, 16> Seen;
};

} // namespace

SmallSetVector<const Value *, 8> Replica::leaves() const {
  SmallSetVector<const Value *, 8> Leaves;
  if (ByPages)
    return Leaves;
  LeafFinder Finder(Leaves);
  Finder.add(Least);
  Finder.add(End);
  for (const Condition &C : Fits)
    Finder.add(C.S);
  for (const Value *V : Parts)
    Finder.add(V);
  return Leaves;
}

void Replica::print(raw_ostream &OS) const {
  if (ByPages) {
    OS << *Float << "s in " << (IsClaimed ? "claimed pages" : "pages");
    OS << " for " << Loads.size() << (Loads.size() == 1 ? " load" : " loads");
    return;
  }
  OS << *Float << "s from " << *Least << " up to " << *End << " behind ";
  Base->printAsOperand(OS, /*PrintType=*/false);
  OS << " for " << Loads.size() << (Loads.size() == 1 ? " load" : " loads");
  for (const Value *V : Parts) {
    OS << ", if not in one part ";
    V->printAsOperand(OS, /*PrintType=*/false);
  }
}

namespace {

/// Beyond, sums are atomic. A copy is filled with zeros and added up once: less
/// than what all iterations of a thread add to it, but memory for each thread.
constexpr uint64_t MostBytes = 4 << 20;
/// Of pages, a thread has only those to which it adds often.
constexpr uint64_t MostBytesInPages = 64 << 20;
constexpr unsigned QueryBudget = 100000, MaxReads = 256, MaxWrites = 2000;

class Chooser {
public:
  Chooser(const Facts &F, const RuleMap &Rules)
      : F(F), Rules(Rules), M(loopMemoryOf(*F.P, QueryBudget)), Objects(F.R),
        Values(*F.P, M), Reads(*F.P, M, Values) {}

  std::vector<Replica> run();

private:
  void collect();
  bool areApartFrom(const LoadInst &Load, const Instruction &Write);
  bool meetBetween(const Instruction &A, const Instruction &B);
  std::optional<Replica> replicaOf(const LoadInst &Load);
  std::optional<Replica> pagesFor(const LoadInst &Load);
  bool isKnownInFront(const Value &V);
  bool isKnownInFront(const SCEV *S);
  void add(Replica R);
  bool isInReplica(const Instruction &Read) const;
  bool addsBeside(const Instruction &Read);
  void claim();

  const Facts &F;
  const RuleMap &Rules;
  LoopMemory &M;
  ThreadObjects Objects;
  UniformValues Values;
  UniformReads Reads;
  SmallVector<const Instruction *, 16> Writes;
  SmallVector<const Instruction *, 4> Meetings; // calls that may be, too
  std::vector<Replica> Found;
};

void Chooser::collect() {
  for (const Instruction &I : instructions(*F.P->F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const bool IsUnknown =
        Call && !lookupKnown(*Call) && !isa<IntrinsicInst>(Call);
    const bool Meets = teams::isMeeting(I) || tasks::isWait(I);
    if (IsUnknown || Meets)
      Meetings.push_back(&I);
    // What is not reversed touches no shadow.
    if (I.mayWriteToMemory() && Rules.contains(&I) && !Meets)
      Writes.push_back(&I);
  }
}

/// No thread writes by \p Write what \p Load may read, in any thread.
bool Chooser::areApartFrom(const LoadInst &Load, const Instruction &Write) {
  const Value *Into = getLoadStorePointerOperand(&Write);
  if (auto *Block = dyn_cast<AnyMemIntrinsic>(&Write))
    Into = Block->getRawDest();
  if (!Into) {
    auto *Call = dyn_cast<CallBase>(&Write);
    return Call &&
           (Call->onlyReadsMemory() || Call->onlyAccessesInaccessibleMemory() ||
            (lookupKnown(*Call) &&
             lookupKnown(*Call)->Facts.Writes == Reach::None));
  }
  const auto Written = ThreadObjects::objectsBehind(Into);
  return Objects.areOfThread(Written) ||
         Objects.areApart(
             Written, ThreadObjects::objectsBehind(Load.getPointerOperand()));
}

/// On some way from one to the other threads meet.
bool Chooser::meetBetween(const Instruction &A, const Instruction &B) {
  auto leads = [&](const Instruction &From, const Instruction &To) {
    return &From == &To || M.Reach.after(&From, &To);
  };
  return any_of(Meetings, [&](const Instruction *At) {
    return (leads(A, *At) && leads(*At, B)) || (leads(B, *At) && leads(*At, A));
  });
}

bool Chooser::isKnownInFront(const Value &V) {
  if (isCalculation(V))
    return all_of(cast<Instruction>(V).operands(),
                  [&](const Use &Op) { return isKnownInFront(*Op); });
  auto *I = dyn_cast<Instruction>(&V);
  return Values.isUniform(V) && (!I || I->getParent()->isEntryBlock());
}

bool Chooser::isKnownInFront(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return isa<SCEVAddRecExpr, SCEVCouldNotCompute, SCEVSequentialMinMaxExpr>(
               Part) ||
           (Leaf && !isKnownInFront(*Leaf->getValue()));
  });
}

std::optional<Replica> Chooser::replicaOf(const LoadInst &Load) {
  Type *Ty = atomicTypeOf(Load, F);
  std::optional<LoopAccess> Access = accessOf(Load, M.SE);
  if (!Ty || !Access || !Reads.sharedLoopOf(Load) ||
      F.mayBeSelfShadowed(Load.getPointerOperand()))
    return std::nullopt;
  auto *Base = dyn_cast<SCEVUnknown>(M.SE.getPointerBase(Access->Address));
  if (!Base || !Base->getType()->isPointerTy() ||
      !isKnownInFront(*Base->getValue()) || !F.hasShadow(Base->getValue()) ||
      F.mayBeSelfShadowed(Base->getValue()))
    return std::nullopt;
  Replica Result;
  Result.Base = Base->getValue();
  Result.Float = Ty->getScalarType();
  Result.Loads.insert(&Load);
  Result.MostBytes = Options::get().SumsOfTeams == TeamSums::Private
                         ? uint64_t(INT64_MAX)
                         : MostBytes;

  EntryBounds Limits(F.P->F->getEntryBlock(), M.SE, *F.P->DT);
  const auto Offsets = Limits.of(M.SE.removePointerBase(Access->Address));
  if (!Offsets)
    return std::nullopt;
  Limits.require(*Offsets, EntryBounds::DistanceBits, /*Signed=*/true);
  Result.Least = Offsets->Least;
  Result.End =
      Limits.sum(Offsets->Greatest, Limits.constant(int64_t(Access->Size)));
  for (const EntryBounds::Condition &C : Limits.conditions())
    Result.Fits.push_back({C.S, C.Least, C.Greatest});
  if (!isKnownInFront(Result.Least) || !isKnownInFront(Result.End) ||
      any_of(Result.Fits, [&](auto &C) { return !isKnownInFront(C.S); }))
    return std::nullopt;

  SmallVector<const Instruction *, 8> Doubtful;
  for (const Instruction *Write : Writes)
    if (!areApartFrom(Load, *Write))
      Doubtful.push_back(Write);
  if (Doubtful.empty())
    return Result;
  const Value *Parts = Reads.partsOf(Load);
  if (!Parts || !isKnownInFront(*Parts) ||
      any_of(Doubtful, [&](auto *Write) { return meetBetween(Load, *Write); }))
    return std::nullopt;
  Result.Parts.insert(Parts);
  return Result;
}

/// Any addresses, as long as nothing wants the shadow of what is read while the
/// region runs.
std::optional<Replica> Chooser::pagesFor(const LoadInst &Load) {
  Type *Ty = atomicTypeOf(Load, F);
  if (!Ty || !Reads.sharedLoopOf(Load) ||
      F.mayBeSelfShadowed(Load.getPointerOperand()) ||
      any_of(Writes, [&](const Instruction *Write) {
        return !areApartFrom(Load, *Write);
      }))
    return std::nullopt;
  Replica Result;
  Result.ByPages = true;
  Result.Float = Ty->getScalarType();
  Result.Loads.insert(&Load);
  Result.MostBytes = Options::get().SumsOfTeams == TeamSums::Private
                         ? uint64_t(INT64_MAX)
                         : MostBytesInPages;
  return Result;
}

/// Of parts behind one pointer it makes one.
void Chooser::add(Replica R) {
  auto Same = find_if(Found, [&](const Replica &Old) {
    return Old.Base == R.Base && Old.Float == R.Float;
  });
  if (Same != Found.end() && R.ByPages) {
    Same->Loads.insert(R.Loads.begin(), R.Loads.end());
    return;
  }
  if (Same == Found.end()) {
    Found.push_back(std::move(R));
    return;
  }
  Same->Least = M.SE.getSMinExpr(Same->Least, R.Least);
  Same->End = M.SE.getSMaxExpr(Same->End, R.End);
  for (const Replica::Condition &C : R.Fits)
    if (none_of(Same->Fits, [&](const Replica::Condition &Old) {
          return Old.S == C.S && Old.Least == C.Least &&
                 Old.Greatest == C.Greatest;
        }))
      Same->Fits.push_back(C);
  Same->Parts.insert(R.Parts.begin(), R.Parts.end());
  Same->Loads.insert(R.Loads.begin(), R.Loads.end());
}

bool Chooser::isInReplica(const Instruction &Read) const {
  auto *Load = dyn_cast<LoadInst>(&Read);
  return Load && any_of(Found, [&](const Replica &R) {
           return R.Loads.contains(Load);
         });
}

/// While the region runs, what comes back to \p Read may be added in another
/// thread to what loads in pages have read, and not in pages.
bool Chooser::addsBeside(const Instruction &Read) {
  if (!F.mayBeShared(Read) || isInReplica(Read))
    return false;
  const Value *Pointer = getLoadStorePointerOperand(&Read);
  if (auto *Move = dyn_cast<AnyMemTransferInst>(&Read))
    Pointer = Move->getRawSource();
  if (!Pointer)
    return true;
  const auto Behind = ThreadObjects::objectsBehind(Pointer);
  return any_of(Found, [&](const Replica &R) {
    return R.ByPages && any_of(R.Loads, [&](const LoadInst *Load) {
             return !Objects.areApart(Behind, ThreadObjects::objectsBehind(
                                                  Load->getPointerOperand()));
           });
  });
}

/// Sums in pages begin as atomic ones if other atomic sums may meet them. Else
/// a page belongs to the first thread. All floats together: a page has one
/// owner.
void Chooser::claim() {
  if (none_of(Found, [](const Replica &R) { return R.ByPages; }) ||
      any_of(instructions(*F.P->F),
             [&](const Instruction &I) { return addsBeside(I); }))
    return;
  for (Replica &R : Found)
    R.IsClaimed = R.ByPages;
}

std::vector<Replica> Chooser::run() {
  SmallVector<const LoadInst *, 16> Shared;
  for (const Instruction &I : instructions(*F.P->F))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && F.P->canReturn(Load->getParent()) && F.isActive(Load) &&
        F.mayBeShared(*Load))
      Shared.push_back(Load);
  if (Shared.empty() || Shared.size() > MaxReads)
    return {};
  collect();
  if (Writes.size() > MaxWrites)
    return {};
  for (const LoadInst *Load : Shared)
    // What threads read near bounds they add to the shadow elsewhere.
    if (auto R = F.nearBounds(*Load) ? std::nullopt : replicaOf(*Load))
      add(std::move(*R));
    else if (std::optional<Replica> InPages = pagesFor(*Load))
      add(std::move(*InPages));
  claim();
  return std::move(Found);
}

} // namespace

std::vector<Replica> chooseReplicas(const Facts &F, const RuleMap &Rules) {
  if (F.R.InTeam != TeamRole::Region || F.R.Kind.isForward() ||
      isDevice(*F.P->F->getParent()) ||
      Options::get().SumsOfTeams == TeamSums::Atomic)
    return {};
  return Chooser(F, Rules).run();
}

} // namespace adze
