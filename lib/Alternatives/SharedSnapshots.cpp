// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that several nests of loops read, or that are read at an index that
// nobody knows beforehand, and that are overwritten in a loop around:
//
//   for (t < steps) {
//     for (k < elements) f(x[corner[k][0]], x[corner[k][1]], ...);
//     for (k < elements) g(x[corner[k][0]], x[corner[k][1]], ...);
//     for (i < n) x[i] += v[i];
//   }
//
// One copy of x for each step serves all of these loads. Let C be the loop
// around (or the function), and S the place in it where the copy is made: in
// front of all nests that read. For a load to be served nothing may write to
// the array in its nest, nor between S and the nest, in the same iteration of
// C. So what stands in the array at S is what is read.
//
// What is copied are ranges of the array, with all between them:
//   * what affine loads read (AffineAccess.h). They are served by the copy.
//   * for other loads, what the stores in C write. If the address of such a
//     load lies in the copied part, so does the number that it reads; else it
//     reads the array, where nobody overwrites it:
//       - All that may write to the array in C are such stores
//         (Snapshot::Covered), and each of them writes to the same range
//         whenever it is executed: neither the array nor the range varies in C
//         or in loops around it, nor does a condition on which it is executed.
//         Who else may overwrite it is for the plan to ask (MemoryInfo).
//       - No element lies half in the range: all that is read, or written,
//         starts at a multiple of the size of an element.
//
// Why these ranges may be read at S. They are accessed by instructions that are
// executed in each iteration of C in which S is reached, before or after S:
// that is, the block in front of their nest dominates S, or it lies on all
// paths from S, on which nothing ends the program, and no loop runs for ever.
// Or there are conditions, known at S, on which the range is empty. In between
// the memory is not given back, since that would be writing to it. All of it is
// one object, since it is accessed by way of one pointer.
//
// Of other affine loads it is not known that they are executed whenever the
// copy is made: a call in between may end the program, or a condition is not
// known at S. They are served if what they read lies in a range that is copied
// anyway, wherever they are executed:
//
//   for (i < n) mine += p[i] * q[i];
//   MPI_Allreduce(&mine, &sum, ...);         may end the program
//   for (i < n) x[i] += rr / sum * p[i];
#include "Alternatives/CallCopies.h"
#include "Alternatives/SnapshotOffer.h"
#include "Alternatives/Snapshots.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {
namespace {

/// More stores to one array are not looked at.
constexpr unsigned MaxWriters = 64;
/// Blocks between a copy and what reads it.
constexpr unsigned MaxBlocks = 200;
/// Conditions in front of a nest that are looked at.
constexpr unsigned MaxGuards = 8;
/// Places for copies of one array that are tried, one behind the other.
constexpr unsigned MaxRounds = 8;

class SharedSnapshots {
public:
  SharedSnapshots(Primal &P, LoopMemory &M, SCEVExpander &Expander)
      : P(P), DL(M.DL), SE(M.SE), Affine(M.Affine), Writers(M.Writers),
        Runs(M.Runs), Expander(Expander), Calls(P, M) {}

  void run(ArrayRef<ArrayRead> Reads);

private:
  /// What all loads that share a copy agree in: the array, the loop around
  /// (null: the function), the type, and what is known of the type.
  struct Key {
    Value *Array;
    const Loop *Around;
    Type *Element;
    MDNode *Tag;
    bool operator==(const Key &O) const {
      return Array == O.Array && Around == O.Around && Element == O.Element &&
             Tag == O.Tag;
    }
  };
  struct Group {
    Key K;
    SmallVector<const ArrayRead *, 4> Reads;
  };
  /// Loads that read what stands in the array at the end of one block.
  struct Epoch {
    BasicBlock *Place;
    SmallVector<const ArrayRead *, 4> Reads;
  };
  /// Ranges to copy, and what accesses them.
  struct Part {
    AffineAccess Access;
    ByteRange Range;
  };
  /// What is written to an array.
  struct Written {
    SmallVector<Part, 4> Parts;
    SmallVector<const Instruction *, 4> Stores;
  };

  bool isQuietBetween(BasicBlock *From, const ArrayRead &R, const Key &K);
  std::optional<Part> partOf(Instruction &I, const Key &K, BasicBlock *S);
  bool isInside(const ArrayRead &R, const Part &Copied, BasicBlock *S);
  bool isTheSameAlways(const ByteRange &R, const Loop *C);
  std::optional<Written> writtenIn(const Key &K, LoadInst &Load, BasicBlock *S);
  bool isWrittenIn(const Key &K, LoadInst &Load);
  bool isWhole(Instruction *I, Type *Element) const;
  void offerFor(const Group &G, unsigned Round = 0);
  bool join(Epoch &E, const ArrayRead &R, const Key &K);
  void moveToCall(Epoch &E, const Key &K);
  void offerEpoch(const Epoch &E, const Key &K);
  SmallVector<const ArrayRead *, 4>
  offerCluster(const Epoch &E, const Key &K, const Written *Around,
               ArrayRef<LoadInst *> IfInside,
               ArrayRef<const ArrayRead *> Reads);
  void serveCalls(SnapshotOffer &Offer, const Key &K, BasicBlock *S,
                  ArrayRef<Part> Parts);
  void offer(const Key &K, BasicBlock *S, ArrayRef<Part> Parts,
             const Written *Around, ArrayRef<LoadInst *> Served,
             ArrayRef<LoadInst *> IfInside);

  Primal &P;
  const DataLayout &DL;
  ScalarEvolution &SE;
  AffineAccesses &Affine;
  LoopWriters &Writers;
  const Execution &Runs;
  SCEVExpander &Expander;
  CallCopies Calls;
};

/// Nothing writes to the array between the end of \p From and the nest of \p R,
/// in one iteration of the loop around.
bool SharedSnapshots::isQuietBetween(BasicBlock *From, const ArrayRead &R,
                                     const Key &K) {
  auto Between =
      Reachability::between(From, R.Quiet->getLoopPreheader(), MaxBlocks);
  if (Between.size() > MaxBlocks)
    return false;
  for (BasicBlock *B : Between) {
    const Loop *In = P.LI->getLoopFor(B);
    while (In != K.Around && In->getParentLoop() != K.Around)
      In = In->getParentLoop();
    for (Instruction &I : *B)
      if (Writers.writes(I) &&
          Writers.mayWriteBefore(I, In == K.Around ? nullptr : In, *R.Load,
                                 K.Array, *R.Quiet))
        return false;
  }
  return true;
}

/// What \p I accesses, if that can be said at the end of \p S.
std::optional<SharedSnapshots::Part>
SharedSnapshots::partOf(Instruction &I, const Key &K, BasicBlock *S) {
  Part X;
  const BasicBlock *Front = I.getParent();
  if (P.LI->getLoopFor(Front) == K.Around) {
    X.Access.I = &I;
    X.Access.Start = SE.getSCEV(getLoadStorePointerOperand(&I));
  } else {
    std::optional<AffineAccess> Found = Affine.find(I, K.Around);
    if (!Found || Found->Nest->getParentLoop() != K.Around)
      return std::nullopt;
    X.Access = *Found;
    Front = Found->Nest->getLoopPreheader();
  }
  std::optional<ByteRange> R = Affine.rangeOf(X.Access, K.Array);
  if (!R || !Runs.isExecutedWith(S, Front, K.Around, R->If) ||
      !Affine.mayBeMade(*R, S->getTerminator()))
    return std::nullopt;
  X.Range = *R;
  return X;
}

/// What is so wherever \p B, which \p S dominates, is executed, by the branches
/// between them.
static Guards guardsBetween(const BasicBlock *S, const BasicBlock *B,
                            const DominatorTree &DT) {
  Guards Met;
  for (const DomTreeNode *Node = DT.getNode(B);
       Node && Node->getBlock() != S && Met.size() < MaxGuards;
       Node = Node->getIDom()) {
    const DomTreeNode *Above = Node->getIDom();
    auto *Branch =
        Above ? dyn_cast<BranchInst>(Above->getBlock()->getTerminator())
              : nullptr;
    if (!Branch || !Branch->isConditional())
      continue;
    for (unsigned Way : {0u, 1u})
      if (DT.dominates({Branch->getParent(), Branch->getSuccessor(Way)}, B))
        Met.push_back({Branch->getCondition(), Way == 0});
  }
  return Met;
}

/// Whenever \p R is executed behind \p S, \p Copied holds what it reads.
bool SharedSnapshots::isInside(const ArrayRead &R, const Part &Copied,
                               BasicBlock *S) {
  if (!R.Access || !Affine.reachesOver(Copied.Access, *R.Access))
    return false;
  Guards Met = guardsBetween(S, R.Quiet->getLoopPreheader(), *P.DT);
  Met.append(R.Access->If.begin(), R.Access->If.end());
  return all_of(Copied.Range.If, [&](const auto &Needed) {
    return any_of(Met, [&](const auto &Known) {
      return isImpliedCondition(Known.first, Needed.first, DL, Known.second) ==
             Needed.second;
    });
  });
}

/// In all iterations of \p C and of the loops around it.
bool SharedSnapshots::isTheSameAlways(const ByteRange &R, const Loop *C) {
  for (; C; C = C->getParentLoop())
    if (!SE.isLoopInvariant(R.Begin, C) || !SE.isLoopInvariant(R.End, C) ||
        !all_of(R.If, [&](auto &G) { return C->isLoopInvariant(G.first); }))
      return false;
  return true;
}

/// Something in the loop around may write to the array that \p Load reads.
bool SharedSnapshots::isWrittenIn(const Key &K, LoadInst &Load) {
  return !K.Around || any_of(Writers.writersIn(*K.Around), [&](Instruction *I) {
    return Writers.mayWrite(*I, Load, K.Array);
  });
}

/// \p I accesses whole elements.
bool SharedSnapshots::isWhole(Instruction *I, Type *Element) const {
  TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(I));
  uint64_t Unit = DL.getTypeStoreSize(Element).getFixedValue();
  return !Size.isScalable() && isPowerOf2_64(Unit) &&
         Size.getFixedValue() % Unit == 0 &&
         getLoadStoreAlignment(I).value() >= Unit;
}

/// All that is written in the loop around to the array that \p Load reads; none
/// if that cannot be said.
std::optional<SharedSnapshots::Written>
SharedSnapshots::writtenIn(const Key &K, LoadInst &Load, BasicBlock *S) {
  Written Result;
  auto *Made = dyn_cast<Instruction>(K.Array);
  if (Made && P.LI->getLoopFor(Made->getParent()))
    return std::nullopt;
  SmallVector<Instruction *, 16> All;
  if (K.Around)
    append_range(All, Writers.writersIn(*K.Around));
  else
    for (const WriteEffect &W : Writers.all())
      All.push_back(W.I);
  for (Instruction *I : All) {
    if (!Writers.mayWrite(*I, Load, K.Array))
      continue;
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple() || Result.Stores.size() >= MaxWriters ||
        !isWhole(Store, K.Element) ||
        arrayBehind(Store->getPointerOperand()) != K.Array)
      return std::nullopt;
    std::optional<Part> X = partOf(*Store, K, S);
    if (!X || !isTheSameAlways(X->Range, K.Around))
      return std::nullopt;
    Result.Parts.push_back(*X);
    Result.Stores.push_back(Store);
  }
  if (Result.Stores.empty())
    return std::nullopt;
  return Result;
}

void SharedSnapshots::serveCalls(SnapshotOffer &Offer, const Key &K,
                                 BasicBlock *S, ArrayRef<Part> Parts) {
  SmallVector<CopiedRead, 4> Reads;
  for (const Part &X : Parts)
    if (X.Access.Nest)
      Reads.push_back({X.Access, X.Range.If});
  Calls.serve(Offer, K.Array, S, Reads);
}

void SharedSnapshots::offer(const Key &K, BasicBlock *S, ArrayRef<Part> Parts,
                            const Written *Around, ArrayRef<LoadInst *> Served,
                            ArrayRef<LoadInst *> IfInside) {
  SmallVector<ByteRange, 4> Ranges;
  LoadInst *First = IfInside.empty() ? Served.front() : IfInside.front();
  Align Aligned = First->getAlign();
  for (const Part &X : Parts) {
    Ranges.push_back(X.Range);
    Aligned = std::min(Aligned, getLoadStoreAlignment(X.Access.I));
  }
  for (ArrayRef<LoadInst *> Loads : {Served, IfInside})
    for (const LoadInst *Load : Loads)
      Aligned = std::min(Aligned, Load->getAlign());
  SnapshotOffer Offer(P, Expander, K.Array, Ranges, Aligned, S->getTerminator(),
                      First->getDebugLoc());
  for (LoadInst *Load : IfInside)
    Offer.serveIfInside(*Load);
  for (LoadInst *Load : Served)
    Offer.serve(*Load);
  if (!Around)
    serveCalls(Offer, K, S, Parts);
  // Ranges that lie apart, of the deepest nest.
  Snapshot &Copy = Offer.snapshot();
  SmallVector<const Part *, 4> Apart;
  for (const Part &X : Parts)
    if (none_of(Apart, [&](const Part *Y) {
          return Affine.lieTogether(X.Access, Y->Access);
        }))
      Apart.push_back(&X);
  for (const Part *X : Apart) {
    if (X->Access.Advances.size() > Copy.Over.size()) {
      Copy.Over.clear();
      Copy.Bytes = 0;
      for (const Advance &A : X->Access.Advances)
        Copy.Over.push_back(A.L);
    }
    if (X->Access.Advances.size() == Copy.Over.size() && !Copy.Over.empty())
      Copy.Bytes += Affine.bytesPerElement(X->Access);
  }
  if (Around)
    Copy.Covered.assign(Around->Stores.begin(), Around->Stores.end());
}

/// The loads of \p Reads in order that lie together, beginning with what
/// \p Around says is copied anyway, are offered a copy; the others are left.
SmallVector<const ArrayRead *, 4> SharedSnapshots::offerCluster(
    const Epoch &E, const Key &K, const Written *Around,
    ArrayRef<LoadInst *> IfInside, ArrayRef<const ArrayRead *> Reads) {
  SmallVector<Part, 4> Known;
  if (Around)
    Known = Around->Parts;
  SmallVector<LoadInst *, 4> Served;
  SmallVector<const ArrayRead *, 4> Left, NotSure;
  SmallPtrSet<const Loop *, 4> Nests;
  for (const ArrayRead *R : Reads) {
    std::optional<Part> X = partOf(*R->Load, K, E.Place);
    if (!X) {
      NotSure.push_back(R);
      continue;
    }
    if ((Around && !isWhole(R->Load, K.Element)) ||
        (!Known.empty() && none_of(Known, [&](const Part &Y) {
          return Affine.lieTogether(X->Access, Y.Access);
        }))) {
      Left.push_back(R);
      continue;
    }
    Known.push_back(*X);
    Served.push_back(R->Load);
    Nests.insert(R->Quiet);
  }
  if (Known.empty())
    return {};
  for (const ArrayRead *R : NotSure) {
    if ((Around && !isWhole(R->Load, K.Element)) ||
        none_of(Known,
                [&](const Part &Y) { return isInside(*R, Y, E.Place); })) {
      Left.push_back(R);
      continue;
    }
    Served.push_back(R->Load);
    Nests.insert(R->Quiet);
  }
  if (Around || (Nests.size() > 1 && isWrittenIn(K, *Served.front())))
    offer(K, E.Place, Known, Around, Served, IfInside);
  return Left;
}

void SharedSnapshots::offerEpoch(const Epoch &E, const Key &K) {
  SmallVector<LoadInst *, 4> IfInside;
  SmallVector<const ArrayRead *, 4> Ordered;
  for (const ArrayRead *R : E.Reads) {
    if (R->isOrdered())
      Ordered.push_back(R);
    else if (isWhole(R->Load, K.Element))
      IfInside.push_back(R->Load);
  }
  std::optional<Written> Around;
  if (!IfInside.empty())
    Around = writtenIn(K, *IfInside.front(), E.Place);
  bool Rows = Around && any_of(Around->Parts, [](const Part &X) {
                return !X.Access.Advances.empty();
              });
  if (Rows)
    Ordered = offerCluster(E, K, &*Around, IfInside, Ordered);
  while (Ordered.size() > 1)
    Ordered = offerCluster(E, K, nullptr, {}, Ordered);
}

/// Whether \p R reads at the place of \p E, or at one for all, what the others
/// of \p E read; then it joins them.
bool SharedSnapshots::join(Epoch &E, const ArrayRead &R, const Key &K) {
  // Loads in no order are all alike.
  bool Same = !R.isOrdered() && any_of(E.Reads, [&](const ArrayRead *O) {
    return !O->isOrdered() && O->Quiet == R.Quiet;
  });
  if (!Same) {
    BasicBlock *Front = R.Quiet->getLoopPreheader();
    BasicBlock *Place = P.DT->findNearestCommonDominator(E.Place, Front);
    if (P.LI->getLoopFor(Place) != K.Around ||
        !P.DT->dominates(K.Array, Place->getTerminator()) ||
        !isQuietBetween(Place, R, K) ||
        (Place != E.Place && !all_of(E.Reads, [&](const ArrayRead *O) {
           return isQuietBetween(Place, *O, K);
         })))
      return false;
    E.Place = Place;
  }
  E.Reads.push_back(&R);
  return true;
}

/// A call in front of \p E may read the copy, too (CallCopies.h), if it is made
/// in the call's block. So it is if that is as good for the others.
void SharedSnapshots::moveToCall(Epoch &E, const Key &K) {
  for (BasicBlock *B : Calls.callsOf(K.Array))
    if (B != E.Place && P.LI->getLoopFor(B) == K.Around &&
        P.DT->dominates(B, E.Place) &&
        P.DT->dominates(K.Array, B->getTerminator()) &&
        all_of(E.Reads, [&](const ArrayRead *R) {
          return R->isOrdered() && isQuietBetween(B, *R, K) &&
                 (partOf(*R->Load, K, B) || !partOf(*R->Load, K, E.Place));
        }))
      E.Place = B;
}

/// Each load joins the first others that it can share a copy with. Of those
/// that no copy at their place serves, the ones behind the first nest may find
/// another place, behind it.
void SharedSnapshots::offerFor(const Group &G, unsigned Round) {
  SmallVector<Epoch, 2> Epochs;
  for (const ArrayRead *R : G.Reads)
    if (none_of(Epochs, [&](Epoch &E) { return join(E, *R, G.K); }))
      Epochs.push_back({R->Quiet->getLoopPreheader(), {R}});
  for (Epoch &E : Epochs) {
    moveToCall(E, G.K);
    offerEpoch(E, G.K);
    Group Rest{G.K, {}};
    for (const ArrayRead *R : E.Reads)
      if (R->Quiet != E.Reads.front()->Quiet && !P.Equivalents.count(R->Load))
        Rest.Reads.push_back(R);
    if (Rest.Reads.size() > 1 && Round < MaxRounds)
      offerFor(Rest, Round + 1);
  }
}

void SharedSnapshots::run(ArrayRef<ArrayRead> Reads) {
  MapVector<Value *, SmallVector<Group, 1>> Groups; // by array
  for (const ArrayRead &R : Reads) {
    const Loop *Quiet = R.Quiet;
    if (!P.DT->dominates(R.Array, Quiet->getLoopPreheader()->getTerminator()))
      continue;
    Key Own{R.Array, Quiet->getParentLoop(), R.Load->getType(),
            R.Load->getMetadata(LLVMContext::MD_tbaa)};
    SmallVector<Group, 1> &OfArray = Groups[R.Array];
    auto *Same = find_if(OfArray, [&](const Group &G) { return G.K == Own; });
    if (Same == OfArray.end()) {
      OfArray.push_back({Own, {}});
      Same = &OfArray.back();
    }
    Same->Reads.push_back(&R);
  }
  for (auto &[Array, OfArray] : Groups)
    for (const Group &G : OfArray)
      offerFor(G);
}

} // namespace

void offerSharedSnapshots(Primal &P, LoopMemory &M, SCEVExpander &Expander,
                          ArrayRef<ArrayRead> Reads) {
  SharedSnapshots(P, M, Expander).run(Reads);
}

} // namespace adze
