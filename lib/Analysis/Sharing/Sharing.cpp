// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Sharing.h"
#include "Analysis/Sharing/LaneAddresses.h"
#include "Analysis/Sharing/ThreadAddress.h"
#include "Analysis/Sharing/ThreadObjects.h"
#include "Analysis/Sharing/UniformReads.h"
#include "adze/ActivityInfo.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"
#include "adze/Request.h"
#include "adze/Tasks.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Beyond, all that is not the thread's own is shared.
constexpr unsigned QueryBudget = 1000000, MaxReads = 2000;

/// What one instruction reads, and the adjoint of which it adds to.
struct Read {
  const Instruction *I;
  const Value *Pointer; // null: anything
  SmallVector<const Value *, 2> Objects;
  std::optional<ThreadAddress> At;
};

using SharedReads = DenseMap<const Instruction *, NearBounds>;

class Analyzer {
public:
  Analyzer(const Primal &P, const Request &R, const ActivityInfo &Activity)
      : P(P), Activity(Activity),
        IsRegion(R.InTeam == TeamRole::Region && !isDevice(*P.F->getParent())),
        M(loopMemoryOf(P, QueryBudget)), Objects(R), Values(P, M),
        Addresses(P, M,
                  [this](const Value &V) { return Values.isUniform(V); }) {
    Addresses.unite(R.Pairs);
  }

  void run(SharedReads &Shared);

private:
  void collect();
  void add(const Instruction &I, const Value *Pointer);
  bool isWrittenAlike(const LoadInst &Load);
  bool hasMeeting(const Loop *L) const;
  bool areTogether(const Instruction &A, const Instruction &B) const;
  bool mayMeet(const Read &A, const Read &B);
  std::vector<std::vector<size_t>> groups();
  bool meetNearBounds(ArrayRef<size_t> Group, SharedReads &Shared);

  const Primal &P;
  const ActivityInfo &Activity;
  const bool IsRegion;
  LoopMemory &M;
  ThreadObjects Objects;
  UniformValues Values;
  ThreadAddresses Addresses;
  std::vector<Read> Reads;
  DenseMap<const SCEV *, SmallVector<const StoreInst *, 1>> Writes;
  SmallVector<const Instruction *, 4> Meetings; // calls that may be, too
};

/// Threads may meet in an iteration of \p L (null: in the function).
bool Analyzer::hasMeeting(const Loop *L) const {
  return any_of(Meetings,
                [&](const Instruction *I) { return !L || L->contains(I); });
}

/// Threads meet neither at nor between two instructions of one block.
bool Analyzer::areTogether(const Instruction &A, const Instruction &B) const {
  if (A.getParent() != B.getParent())
    return false;
  const bool IsAFirst = A.comesBefore(&B);
  const Instruction &First = IsAFirst ? A : B, &Last = IsAFirst ? B : A;
  return none_of(Meetings, [&](const Instruction *I) {
    return I->getParent() == A.getParent() && First.comesBefore(I) &&
           I->comesBefore(&Last);
  });
}

/// The thread that executes \p Load writes there, too, before it meets others:
/// they do not read it.
bool Analyzer::isWrittenAlike(const LoadInst &Load) {
  const BasicBlock *Here = Load.getParent();
  const Loop *L = P.LI->getLoopFor(Here);
  std::optional<LoopAccess> Read = accessOf(Load, M.SE);
  if (!Read)
    return false;
  const bool Meet = hasMeeting(L);
  return any_of(Writes.lookup(Read->Address), [&](const StoreInst *Store) {
    const BasicBlock *There = Store->getParent();
    if (Meet && !areTogether(Load, *Store))
      return false;
    return P.LI->getLoopFor(There) == L &&
           accessOf(*Store, M.SE)->Size >= Read->Size &&
           (Here == There || P.DT->dominates(There, Here) ||
            M.Runs.isAlwaysReached(Here, There, L));
  });
}

void Analyzer::add(const Instruction &I, const Value *Pointer) {
  if (I.hasMetadata(teams::ExclusiveMetadata))
    return;
  Read R{&I, Pointer, {}, std::nullopt};
  if (Pointer) {
    R.Objects = ThreadObjects::objectsBehind(Pointer);
    if (Objects.areOfThread(R.Objects))
      return;
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && isWrittenAlike(*Load))
      return;
    // Beside a function that the region calls, others may run other code.
    if (IsRegion && Reads.size() < MaxReads)
      R.At = Addresses.find(I);
  }
  Reads.push_back(std::move(R));
}

void Analyzer::collect() {
  for (const Instruction &I : instructions(*P.F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (std::optional<LoopAccess> Write = accessOf(I, M.SE))
        Writes[Write->Address].push_back(Store);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      const bool IsUnknown = !lookupKnown(*Call) && !isa<IntrinsicInst>(Call);
      if (IsUnknown || teams::isMeeting(I) || tasks::isWait(I))
        Meetings.push_back(Call);
    }
  }
  for (const Instruction &I : instructions(*P.F)) {
    if (!I.mayReadFromMemory() || !Activity.isActiveInstruction(&I))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      add(I, Load->getPointerOperand());
    else if (auto *Move = dyn_cast<AnyMemTransferInst>(&I))
      add(I, Move->getRawSource());
    else if (auto *Call = dyn_cast<CallBase>(&I)) {
      const KnownFunction *Known = lookupKnown(*Call);
      if (!Known || Known->Facts.Reads != Reach::None)
        add(I, nullptr);
    }
  }
}

/// They may start from one object.
bool Analyzer::mayMeet(const Read &A, const Read &B) {
  return !A.Pointer || !B.Pointer || !Objects.areApart(A.Objects, B.Objects);
}

/// Those that may start from one object, and all that may do so with them.
std::vector<std::vector<size_t>> Analyzer::groups() {
  std::vector<std::vector<size_t>> Groups;
  for (size_t I = 0; I < Reads.size(); ++I) {
    std::vector<size_t> Joined{I};
    auto Last = std::remove_if(
        Groups.begin(), Groups.end(), [&](const std::vector<size_t> &Group) {
          const bool Meets = any_of(
              Group, [&](size_t J) { return mayMeet(Reads[I], Reads[J]); });
          if (Meets)
            append_range(Joined, Group);
          return Meets;
        });
    Groups.erase(Last, Groups.end());
    Groups.push_back(std::move(Joined));
  }
  return Groups;
}

/// Whether all that \p Group reads lies in rows, and where threads meet then.
bool Analyzer::meetNearBounds(ArrayRef<size_t> Group, SharedReads &Shared) {
  SmallVector<const ThreadAddress *, 4> Addresses;
  for (size_t I : Group) {
    const Read &R = Reads[I];
    if (!R.At || !isa<LoadInst>(R.I) || !R.At->L->LastIteration)
      return false;
    Addresses.push_back(&*R.At);
  }
  const auto Rows = ThreadAddresses::rowsOf(Addresses);
  if (!Rows)
    return false;
  const auto [Least, Most] = std::minmax_element(Rows->begin(), Rows->end());
  if (*Least == *Most)
    return true;
  // The other threads' iterations are before the first or behind the last one,
  // and their rows reach over by as much as the rows of these reads differ, at
  // most: one condition for all of them.
  for (auto [I, A] : zip(Group, Addresses))
    Shared[Reads[I].I] = {A->L, uint64_t(*Most - *Least),
                          uint64_t(*Most - *Least)};
  return true;
}

void Analyzer::run(SharedReads &Shared) {
  collect();
  if (Reads.size() >= MaxReads) {
    for (const Read &R : Reads)
      Shared[R.I] = {};
    return;
  }
  for (const std::vector<size_t> &Group : groups()) {
    SmallVector<const Instruction *, 8> Meeting;
    for (size_t I : Group)
      if (any_of(Group, [&](size_t J) {
            const Read &A = Reads[I], &B = Reads[J];
            return mayMeet(A, B) &&
                   !(A.At && B.At && ThreadAddresses::areApart(*A.At, *B.At));
          }))
        Meeting.push_back(Reads[I].I);
    if (Meeting.empty() || meetNearBounds(Group, Shared))
      continue;
    for (const Instruction *I : Meeting)
      Shared[I] = {};
  }
}

} // namespace

Sharing::Sharing(const Primal &P, const Request &R,
                 const ActivityInfo &Activity) {
  if (R.InTeam == TeamRole::None)
    return;
  Analyzer(P, R, Activity).run(Shared);
  if (!isDevice(*P.F->getParent()))
    return;
  LaneAddresses Lanes;
  for (const auto &[Read, Near] : Shared)
    if (auto *Load = dyn_cast<LoadInst>(Read);
        Load && Lanes.areLikelyAlike(*Load->getPointerOperand()))
      Alike.insert(Load);
}

} // namespace adze
