// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with a tape keeps what it reads behind an argument, if its caller
// overwrites that later, although the caller often keeps a copy of the same:
//
//   apply(k, p, q, n);                          exchanges p[0] and p[n - 1]
//   for (i < n) pq += p[i] * q[i];
//   ...
//   for (i < n) p[i] = r[i] + beta * p[i];
//
// So beside each load of a nest stands one from a copy that the caller may give
// to the reverse half (Request::Copied), and beside each copy that the function
// would make itself an address in that one. CallCopies.h tells which copies
// hold what is read.
//
// Why a copy that holds what stands there in front of the call, or behind it,
// holds what the loads read: nothing in the function may write to the array, in
// whatever order. What is written there is then not looked at: whether the
// function's caller or others write in the meantime is for who makes the copy.
//
// If something in the function writes there, but never to what a load is yet to
// read, a copy will do that was made in front of the call (Snapshot::InFront):
//
//   for (i < n) y[i] = a * y[i] + b * x[i];
//
// All threads of a team run the code of the region. What another thread writes
// is not what this one reads, for they would have a race, unless that one meets
// others behind it, and this one does in front.
#include "Alternatives/Alternatives.h"
#include "Alternatives/SnapshotOffer.h"
#include "Loops/ArgumentRanges.h"
#include "Loops/LoopMemory.h"
#include "adze/Checkpoints.h"
#include "adze/Teams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

/// Loads behind one argument.
static constexpr size_t MaxLoads = 200;

namespace {

class GivenCopies {
public:
  GivenCopies(Primal &P, LoopMemory &M) : P(P), M(M) {
    for (Instruction &I : instructions(*P.F))
      if (teams::isMeeting(I))
        Meetings.push_back(&I);
  }

  void offer(Argument &Array);

private:
  /// What reads a copy that the function makes itself, or null: memory.
  using Readers = MapVector<CallInst *, SmallVector<LoadInst *, 4>>;

  Readers readersOf(Argument &Array);
  size_t readersOf(const CallInst &Copy) const;
  bool isWritten(LoadInst &Load, Argument &Array);
  bool isWrittenFirst(LoadInst &Load, Argument &Array);
  std::optional<ArgumentRange> rangeOf(LoadInst &Load, Argument &Array);

  Primal &P;
  LoopMemory &M;
  /// By array and what is known of the type of a load.
  DenseMap<std::pair<const Argument *, const MDNode *>, bool> Written;
  SmallVector<Instruction *, 4> Meetings;
};

/// Loads of the program and among the alternatives. All is in its place yet.
GivenCopies::Readers GivenCopies::readersOf(Argument &Array) {
  Readers Found;
  size_t Count = 0;
  for (Instruction &I : instructions(*P.F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !P.LI->getLoopFor(Load->getParent()) ||
        arrayBehind(Load->getPointerOperand()) != &Array || !Load->isSimple() ||
        !Load->getType()->isFloatingPointTy() ||
        !P.canReturn(Load->getParent()))
      continue;
    if (++Count > MaxLoads)
      return {};
    auto *Other = dyn_cast_or_null<LoadInst>(P.Equivalents.lookup(Load));
    const AlternativeRead *Read = Other ? P.Elsewhere.readOf(Other) : nullptr;
    if (!P.Equivalents.count(Load))
      Found[nullptr].push_back(Load);
    else if (Read && Read->Copy && !Read->OrMemory)
      Found[cast<CallInst>(const_cast<Value *>(Read->Copy))].push_back(Load);
  }
  return Found;
}

size_t GivenCopies::readersOf(const CallInst &Copy) const {
  return count_if(P.Elsewhere.Reads,
                  [&](const auto &Read) { return Read.second.Copy == &Copy; });
}

/// Something may write to the array, as \p Load reads it.
bool GivenCopies::isWritten(LoadInst &Load, Argument &Array) {
  auto [It, IsNew] = Written.try_emplace(
      {&Array, Load.getMetadata(LLVMContext::MD_tbaa)}, false);
  if (IsNew)
    // What others have written when threads meet is written by this code.
    It->second = any_of(M.Writers.all(), [&](const WriteEffect &W) {
      return !teams::isMeeting(*W.I) && M.Writers.mayWrite(*W.I, Load, &Array);
    });
  return It->second;
}

/// Something may write to what \p Load reads before it does.
bool GivenCopies::isWrittenFirst(LoadInst &Load, Argument &Array) {
  Loop *Nest = P.LI->getLoopFor(Load.getParent())->getOutermostLoop();
  // Behind a meeting stands what another thread has written before its own: in
  // a critical section, what that has been there earlier.
  auto mayMeetBehind = [&](const Instruction &I) {
    return any_of(Meetings,
                  [&](Instruction *At) { return M.Reach.after(&I, At); });
  };
  const bool MayBeBehind = any_of(
      Meetings, [&](Instruction *At) { return M.Reach.after(At, &Load); });
  return M.Writers.mayWriteFirst(*Nest, Load) ||
         any_of(M.Writers.all(), [&](const WriteEffect &W) {
           const bool IsBefore =
               (!Nest->contains(W.I) && M.Reach.after(W.I, &Load)) ||
               (MayBeBehind && mayMeetBehind(*W.I));
           return IsBefore && !teams::isMeeting(*W.I) &&
                  M.Writers.mayWrite(*W.I, Load, &Array);
         });
}

/// Nothing if it is not known, or something may write there before.
std::optional<ArgumentRange> GivenCopies::rangeOf(LoadInst &Load,
                                                  Argument &Array) {
  std::optional<AffineAccess> A = M.Affine.find(Load, nullptr);
  if (!A || (isWritten(Load, Array) && isWrittenFirst(Load, Array)))
    return std::nullopt;
  return argumentRange(*A, Array, P, M.Affine, M.SE);
}

void GivenCopies::offer(Argument &Array) {
  SmallVector<ArgumentRange, 8> Ranges;
  SmallVector<LoadInst *, 8> Loads;
  SmallVector<CallInst *, 2> Copies;
  Align Aligned(16);
  bool InFront = false;
  for (auto &[Copy, Readers] : readersOf(Array)) {
    SmallVector<LoadInst *, 8> Known;
    SmallVector<ArgumentRange, 8> Read;
    for (LoadInst *Load : Readers)
      if (std::optional<ArgumentRange> R = rangeOf(*Load, Array)) {
        Known.push_back(Load);
        Read.push_back(std::move(*R));
      }
    // All that reads the function's own copy would read this one.
    if (Known.empty() || (Copy && Known.size() < readersOf(*Copy)))
      continue;
    for (LoadInst *Load : Known) {
      // More is not known of the caller's copy.
      Aligned = std::min(
          {Aligned, Load->getAlign(), M.DL.getABITypeAlign(Load->getType())});
      InFront |= isWritten(*Load, Array);
    }
    append_range(Ranges, Read);
    if (Copy)
      Copies.push_back(Copy);
    else
      append_range(Loads, Known);
  }
  if (Ranges.empty())
    return;
  SnapshotOffer Offer(P, Array, Aligned);
  Snapshot &Given = Offer.snapshot();
  Given.Ranges.append(Ranges.begin(), Ranges.end());
  Given.InFront = InFront;
  for (LoadInst *Load : Loads)
    Offer.serve(*Load);
  for (CallInst *Copy : Copies) {
    P.Equivalents[Copy] = Offer.addressOf(Copy->getArgOperand(0), Copy);
    // Its loads are made already.
    Given.Aligned = std::max(Given.Aligned, P.snapshotAt(Copy)->Aligned);
    Given.Reader = P.snapshotAt(Copy)->Reader;
  }
}

} // namespace

/// Other functions have no caller that could give anything.
static bool isCalled(const Function &F) {
  return any_of(F.users(), [&](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return Call && Call->getCalledOperand() == &F;
  });
}

void offerGivenCopies(Primal &P, LoopMemory &M) {
  if (!isCalled(*P.Source) || checkpoints::layoutOf(*P.F) ||
      M.DL.getIndexSizeInBits(0) != 64)
    return;
  GivenCopies Copies(P, M);
  for (Argument &A : P.F->args())
    if (A.getType()->isPointerTy() &&
        A.getType()->getPointerAddressSpace() == 0 && !A.hasByValAttr() &&
        !A.hasStructRetAttr())
      Copies.offer(A);
}

} // namespace adze
