// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of which a nest of loops reads each element several times:
//
//   for (i = 1; i < n - 1; i++)
//     next[i] = g(u[i - 1], u[i], u[i + 1]);     u is overwritten later
//
// To keep three numbers, or three results, for each i takes three times the
// memory that u takes. So a copy of what the nest reads of u is offered: a call
// (SnapshotName) in front of the nest, and beside each load one of the same
// element of the copy. It is for the plan to say whether it is worth it; else
// the call means u itself, and the loads mean nothing.
//
// Why the copy holds what the loads read, and may be made. Let N be the nest.
//   * Nothing in N may write to the array, or not to what a load reads before
//   it
//     does (p[i] = r[i] + b * p[i]), so that in front of N stands what is read
//     in it.
//   * The loads are affine (AffineAccess.h), so all that is read lies between
//     two addresses that are known in front of N.
//   * These two are really read, and lie in one object, with all between them,
//     if no instruction in N ends the program. Or the loads are executed in no
//     iteration, by conditions that are known there, too; then nothing is
//     copied.
//
// Memory between the elements read is copied, too.
#include "Alternatives/Snapshots.h"
#include "Alternatives/Alternatives.h"
#include "Alternatives/SnapshotOffer.h"

#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace adze {
namespace {

/// Functions with more loads in loops are left as they are.
constexpr unsigned MaxLoads = 5000;

class Snapshots {
public:
  Snapshots(Primal &P, LoopMemory &M, SCEVExpander &Expander)
      : P(P), Affine(M.Affine), Writers(M.Writers), Expander(Expander) {}

  void run(ArrayRef<ArrayRead> Reads);

private:
  using Group = SmallVector<AffineAccess, 4>;

  bool isSamePart(const AffineAccess &A, const AffineAccess &B);
  bool readsAgain(Value *Array, const Group &G);
  void offer(Value *Array, Group &G);

  Primal &P;
  AffineAccesses &Affine;
  LoopWriters &Writers;
  SCEVExpander &Expander;
};

LoadInst &loadOf(const AffineAccess &A) { return *cast<LoadInst>(A.I); }

/// Rows and columns of one matrix.
bool Snapshots::isSamePart(const AffineAccess &A, const AffineAccess &B) {
  return A.Nest == B.Nest && A.If == B.If && A.type() == B.type() &&
         Affine.lieTogether(A, B);
}

/// The nest reads an element several times: by several of \p G, or in the
/// iterations of a loop in which the address does not advance. (Of the latter
/// there are many, so somebody must be seen to write there.)
bool Snapshots::readsAgain(Value *Array, const Group &G) {
  const AffineAccess &One = G.front();
  const unsigned Loops =
      P.LI->getLoopDepth(One.I->getParent()) - One.Nest->getLoopDepth() + 1;
  if (any_of(G, [&](const AffineAccess &A) { return A.Start != One.Start; }))
    return true;
  return Loops > One.Advances.size() &&
         any_of(Writers.all(), [&](const WriteEffect &W) {
           return Writers.mayWrite(*W.I, loadOf(One), Array);
         });
}

/// The copy for the loads \p G of \p Array.
void Snapshots::offer(Value *Array, Group &G) {
  const AffineAccess &One = G.front();
  Instruction *At = One.Nest->getLoopPreheader()->getTerminator();
  SmallVector<ByteRange, 4> Ranges;
  Align Aligned = loadOf(One).getAlign();
  for (const AffineAccess &A : G) {
    std::optional<ByteRange> R = Affine.rangeOf(A, Array);
    if (!R || !Affine.mayBeMade(*R, At))
      return;
    Ranges.push_back(*R);
    Aligned = std::min(Aligned, loadOf(A).getAlign());
  }
  SnapshotOffer Offer(P, Expander, Array, Ranges, Aligned, At,
                      One.I->getDebugLoc());
  Snapshot &S = Offer.snapshot();
  for (const Advance &A : One.Advances)
    S.Over.push_back(A.L);
  S.Bytes = Affine.bytesPerElement(One);
  for (const AffineAccess &A : G)
    Offer.serve(loadOf(A));
}

void Snapshots::run(ArrayRef<ArrayRead> Reads) {
  // By array; few loops read one array in several ways.
  MapVector<Value *, SmallVector<Group, 1>> Groups;
  for (const ArrayRead &R : Reads) {
    const std::optional<AffineAccess> &A = R.Access;
    if (!A || P.Equivalents.count(R.Load) ||
        !P.DT->dominates(R.Array, A->Nest->getLoopPreheader()->getTerminator()))
      continue;
    SmallVector<Group, 1> &OfArray = Groups[R.Array];
    auto *Near = find_if(OfArray, [&](const Group &G) {
      return Affine.isNear(G.front(), *A) || isSamePart(G.front(), *A);
    });
    if (Near != OfArray.end())
      Near->push_back(*A);
    else
      OfArray.push_back({*A});
  }
  for (auto &[Array, OfArray] : Groups)
    for (Group &G : OfArray)
      if (readsAgain(Array, G))
        offer(Array, G);
}

} // namespace

static std::optional<ArrayRead> readOf(LoadInst &Load, const Primal &P,
                                       LoopMemory &M) {
  Value *Array = arrayBehind(Load.getPointerOperand());
  if (!Array || !Load.isSimple() || !Load.getType()->isFloatingPointTy() ||
      Load.getPointerAddressSpace() != 0 || !P.canReturn(Load.getParent()) ||
      P.Equivalents.count(&Load))
    return std::nullopt;
  const Loop *Quiet = nullptr;
  for (const Loop *L = P.LI->getLoopFor(Load.getParent());
       L && !M.Writers.mayWrite(*L, Load); L = L->getParentLoop())
    Quiet = L;
  if (Quiet)
    return ArrayRead{&Load, Array, Quiet,
                     M.Affine.find(Load, Quiet->getParentLoop())};
  for (const Loop *L = P.LI->getLoopFor(Load.getParent());
       L && !M.Writers.mayWriteFirst(*L, Load); L = L->getParentLoop())
    Quiet = L;
  std::optional<AffineAccess> Access;
  if (Quiet)
    Access = M.Affine.find(Load, Quiet->getParentLoop());
  if (!Access)
    return std::nullopt;
  return ArrayRead{&Load, Array, Access->Nest, Access};
}

void offerSnapshots(Primal &P, LoopMemory &M) {
  std::vector<ArrayRead> Reads;
  unsigned Loads = 0;
  if (M.DL.getIndexSizeInBits(0) != 64)
    return;
  for (BasicBlock &B : *P.F)
    if (P.LI->getLoopFor(&B))
      for (Instruction &I : B)
        if (auto *Load = dyn_cast<LoadInst>(&I)) {
          if (++Loads > MaxLoads)
            return;
          if (std::optional<ArrayRead> R = readOf(*Load, P, M))
            Reads.push_back(std::move(*R));
        }
  SCEVExpander Expander(M.SE, M.DL, "adze.snapshot");
  offerSharedSnapshots(P, M, Expander, Reads);
  Snapshots(P, M, Expander).run(Reads);
}

} // namespace adze
