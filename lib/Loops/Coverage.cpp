// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written lies between two distances from the begin of the variable: it
// is written by one instruction, or by a nest of loops that leaves no gap. It
// is all written before something is read that the instruction dominates, or
// the header of the nest if the reader is not in it: the nest is left in one
// place only, after all its iterations. (A path from the header of L to the
// reader is one from the function's entry to it if the iteration is the first
// one, so that dominators in L are passed in each iteration.)
//
// Or a condition in front of the nest is not met, and then there is nothing
// left to read (n = 1 here, or the reader were not executed):
//
//   k[0] = ..;
//   if (n > 1) for (i = 1; i < n; i++) k[i] = ..;
//   if (n > 0) for (i = 0; i < n; i++) .. k[i] ..;
//
// Distances are expressions where sizes and counts are no constants. Two of
// them are compared if that is known of them whatever the variables are that
// let the reader and the nests be executed.
#include "Loops/Coverage.h"
#include "Loops/LoopMemory.h"
#include "adze/KnownFunction.h"

#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Accesses to one variable, and its size.
constexpr size_t MaxAccesses = 256;
constexpr int64_t MaxBytes = 65536;
/// Blocks that are asked for what is known where something is read.
constexpr unsigned MaxDominators = 32;

/// Distances from the begin of the variable, in bytes.
struct Interval {
  const SCEV *Begin, *End;
};

/// What is written, in a nest or by one instruction.
struct Piece {
  Interval Bytes;
  const Instruction *By;
  const Loop *Nest;
};

/// What one instruction, or several that lie side by side, access in one
/// iteration of a nest.
struct Row {
  AffineAccess Access; // of the first of them
  const SCEV *Begin;   // in all first iterations
  int64_t Bytes;

  bool advancesAs(const Row &Other) const {
    return Access.Nest == Other.Access.Nest &&
           equal(Access.Advances, Other.Access.Advances,
                 [](const Advance &X, const Advance &Y) {
                   return X.L == Y.L && X.Step == Y.Step;
                 });
  }
};

class Coverage {
public:
  Coverage(const Value &A, uint64_t Extent, const Loop &L, const Primal &P,
           LoopMemory &M)
      : A(A), Extent(Extent), L(L), P(P), SE(M.SE), Guarded(M.Guarded),
        Affine(M.Affine), DL(P.F->getDataLayout()),
        Order(const_cast<Loop *>(&L)) {}

  SmallVector<const Instruction *, 4>
  notCovered(ArrayRef<const Instruction *> Readers,
             ArrayRef<const Instruction *> Writers);
  bool mayReach(const Instruction &Writer, const Instruction &Reader);

private:
  const SCEV *bytes(int64_t Count) const {
    return SE.getConstant(Type::getInt64Ty(P.F->getContext()), uint64_t(Count),
                          /*isSigned=*/true);
  }
  const SCEV *size() const;
  std::optional<Interval> directly(const Instruction &I, bool Writes) const;
  const SCEV *spanOf(const Row &R, const SCEV *&Begin) const;
  std::optional<Row> rowOf(const Instruction &I);
  std::optional<Interval> inNest(const Instruction &I);
  SmallVector<Piece, 8> written(ArrayRef<const Instruction *> Writers);
  bool isBefore(const Piece &Written, const Instruction &Reader) const;
  bool comesBefore(const BasicBlock &A, const BasicBlock &B);
  std::optional<Guards> guardsOf(const Piece &Written,
                                 const Instruction &Reader);
  bool isKnownAt(const BasicBlock &B, CmpInst::Predicate Is, const SCEV *X,
                 const SCEV *Y);
  std::optional<std::pair<const Value *, APInt>>
  onlyValueIf(const Value *Condition, bool IsSo, const Instruction &Reader);
  bool isAtMost(const SCEV *X, const SCEV *Y, ArrayRef<const Loop *> Entered);
  bool isNothingLeft(const Piece &Next, const SCEV *Covered, const SCEV *End,
                     const Instruction &Reader);
  std::optional<Interval> atMost(const Instruction &Reader) const;
  bool isCovered(const Instruction &Reader, ArrayRef<Piece> Pieces);

  const Value &A;
  uint64_t Extent;
  const Loop &L;
  const Primal &P;
  ScalarEvolution &SE;
  GuardedExpressions &Guarded;
  AffineAccesses &Affine;
  const DataLayout &DL;
  LoopBlocksDFS Order; // of L, made when it is asked for
};

/// The bytes of the variable or block; null if nobody knows.
const SCEV *Coverage::size() const {
  if (auto *Variable = dyn_cast<AllocaInst>(&A)) {
    std::optional<TypeSize> Bytes = Variable->getAllocationSize(DL);
    if (!Bytes || Bytes->isScalable() || Bytes->getFixedValue() > MaxBytes)
      return nullptr;
    return bytes(int64_t(Bytes->getFixedValue()));
  }
  auto *Call = dyn_cast<CallBase>(&A);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  if (!Known || Known->Allocation.SizeArg < 0)
    return Extent ? bytes(int64_t(Extent)) : nullptr;
  auto argument = [&](int No) {
    return SE.getSCEV(Call->getArgOperand(unsigned(No)));
  };
  const SCEV *Bytes = argument(Known->Allocation.SizeArg);
  if (Known->Allocation.CountArg < 0)
    return Bytes;
  const SCEV *Count = argument(Known->Allocation.CountArg);
  return Count->getType() == Bytes->getType() ? SE.getMulExpr(Bytes, Count)
                                              : nullptr;
}

/// What one execution of \p I accesses, if that is always the same in an
/// iteration.
std::optional<Interval> Coverage::directly(const Instruction &I,
                                           bool Writes) const {
  const Value *Pointer = nullptr;
  const SCEV *Bytes = nullptr;
  if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    Bytes = SE.getSCEV(Block->getLength());
    Pointer = Writes ? Block->getRawDest()
                     : cast<MemTransferInst>(Block)->getRawSource();
  } else {
    TypeSize Stored =
        DL.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&I)));
    if (Stored.isScalable())
      return std::nullopt;
    Bytes = bytes(int64_t(Stored.getFixedValue()));
    Pointer = getLoadStorePointerOperand(&I);
  }
  auto scev = [&](const Value *V) {
    return SE.getSCEV(const_cast<Value *>(V));
  };
  const SCEV *Begin = SE.getMinusSCEV(scev(Pointer), scev(&A));
  if (isa<SCEVCouldNotCompute>(Begin) || !SE.isLoopInvariant(Begin, &L) ||
      !Begin->getType()->isIntegerTy(64) ||
      !Bytes->getType()->isIntegerTy(64) || !SE.isLoopInvariant(Bytes, &L))
    return std::nullopt;
  return Interval{Begin, SE.getAddExpr(Begin, Bytes)};
}

/// The bytes of all iterations together, which follow on each other or overlap,
/// and the \p Begin of the first of them; null if there are gaps, for all that
/// is known.
const SCEV *Coverage::spanOf(const Row &R, const SCEV *&Begin) const {
  int64_t Span = R.Bytes;
  Begin = R.Begin;
  SmallVector<std::pair<int64_t, int64_t>, 3> Steps; // and last iterations
  SmallVector<Advance, 3> Others;
  for (const Advance &Next : reverse(R.Access.Advances)) {
    auto *Step = dyn_cast<SCEVConstant>(Next.Step);
    auto *Last = dyn_cast_or_null<ConstantInt>(Next.L->LastIteration);
    if (!Next.L->LastIteration ||
        (Step && Step->getAPInt().abs().ugt(MaxBytes)) ||
        (Last && Last->getValue().ugt(MaxBytes)))
      return nullptr;
    if (Step && Last)
      Steps.push_back({Step->getAPInt().getSExtValue(), Last->getSExtValue()});
    else
      Others.push_back(Next);
  }
  llvm::sort(Steps, [](const auto &X, const auto &Y) {
    return std::abs(X.first) < std::abs(Y.first);
  });
  for (auto [Step, Last] : Steps) {
    if (std::abs(Step) > Span)
      return nullptr;
    Begin = SE.getAddExpr(Begin, bytes(std::min<int64_t>(Step * Last, 0)));
    Span += std::abs(Step) * Last;
  }
  // Rows whose number or length is no constant: each begins where the one
  // before ends.
  const SCEV *All = bytes(Span);
  for (const Advance &Next : Others) {
    if (Next.Step != All)
      return nullptr;
    const SCEV *Last = SE.getSCEV(lastIfEntered(*Next.L));
    All = SE.getMulExpr(All, SE.getAddExpr(Last, SE.getOne(Last->getType())));
  }
  return All;
}

std::optional<Row> Coverage::rowOf(const Instruction &I) {
  if (!isa<LoadInst, StoreInst>(I))
    return std::nullopt;
  std::optional<AffineAccess> Access =
      Affine.find(const_cast<Instruction &>(I), &L);
  if (!Access || !Access->If.empty() || !L.contains(Access->Nest))
    return std::nullopt;
  TypeSize Bytes = DL.getTypeStoreSize(Access->type());
  const SCEV *Begin =
      SE.getMinusSCEV(Access->Start, SE.getSCEV(const_cast<Value *>(&A)));
  if (Bytes.isScalable() || isa<SCEVCouldNotCompute>(Begin) ||
      !Begin->getType()->isIntegerTy(64))
    return std::nullopt;
  return Row{*Access, Begin, int64_t(Bytes.getFixedValue())};
}

/// What \p I accesses in all iterations of a nest, without gaps.
std::optional<Interval> Coverage::inNest(const Instruction &I) {
  std::optional<Row> R = rowOf(I);
  const SCEV *Begin = nullptr;
  const SCEV *Span = R ? spanOf(*R, Begin) : nullptr;
  if (!Span)
    return std::nullopt;
  return Interval{Begin, SE.getAddExpr(Begin, Span)};
}

bool Coverage::isBefore(const Piece &Written, const Instruction &Reader) const {
  return Written.Nest ? !Written.Nest->contains(&Reader) &&
                            P.DT->dominates(Written.Nest->getHeader(),
                                            Reader.getParent())
                      : P.DT->dominates(Written.By, &Reader);
}

/// No iteration of L goes from \p B to \p A: they stand in different loops of
/// it, or in none, of which each counts as one block. Its header comes first in
/// each order, where other blocks of it may come behind what follows the loop.
bool Coverage::comesBefore(const BasicBlock &A, const BasicBlock &B) {
  if (!Order.isComplete())
    Order.perform(P.LI.get());
  auto number = [&](const BasicBlock &Each) {
    const BasicBlock *First = &Each;
    for (const Loop *In = P.LI->getLoopFor(First); In != &L;
         In = In->getParentLoop())
      First = In->getHeader();
    return Order.getRPO(const_cast<BasicBlock *>(First));
  };
  return number(A) < number(B);
}

/// On these conditions the nest of \p Written is executed before \p Reader is,
/// in each iteration that executes the reader; none if they are not known.
std::optional<Guards> Coverage::guardsOf(const Piece &Written,
                                         const Instruction &Reader) {
  if (!Written.Nest || Written.Nest->contains(&Reader))
    return std::nullopt;
  const Loop *Around = Written.Nest->getParentLoop();
  if (!(Around == &L || !Around->contains(&Reader)) ||
      !comesBefore(*Written.Nest->getHeader(), *Reader.getParent()))
    return std::nullopt;
  Guards Result;
  auto *Node = P.DT->getNode(Written.Nest->getHeader());
  while (!P.DT->dominates(Node->getBlock(), Reader.getParent())) {
    const BasicBlock *Below = Node->getBlock();
    Node = Node->getIDom();
    const BasicBlock *B = Node ? Node->getBlock() : nullptr;
    auto *Branch = B ? dyn_cast<BranchInst>(B->getTerminator()) : nullptr;
    if (!Branch || !L.contains(B) || !is_contained(successors(B), Below) ||
        P.LI->getLoopFor(B) != Around)
      return std::nullopt;
    if (Branch->isConditional())
      Result.push_back(
          {Branch->getCondition(), Branch->getSuccessor(0) == Below});
  }
  return Result;
}

/// On each path to \p B; some block on all of them says so.
bool Coverage::isKnownAt(const BasicBlock &B, CmpInst::Predicate Is,
                         const SCEV *X, const SCEV *Y) {
  unsigned Steps = 0;
  for (auto *Node = P.DT->getNode(&B); Node && Steps < MaxDominators;
       Node = Node->getIDom(), ++Steps)
    if (SE.isBasicBlockEntryGuardedByCond(Node->getBlock(), Is, X, Y))
      return true;
  return false;
}

/// If \p Condition is as \p IsSo says, and \p Reader is executed, some value is
/// a constant.
std::optional<std::pair<const Value *, APInt>>
Coverage::onlyValueIf(const Value *Condition, bool IsSo,
                      const Instruction &Reader) {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  auto *Bound =
      Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!Bound)
    return std::nullopt;
  const Value *X = Compare->getOperand(0);
  const ConstantRange Range = ConstantRange::makeExactICmpRegion(
      IsSo ? Compare->getPredicate() : Compare->getInversePredicate(),
      Bound->getValue());
  if (const APInt *Only = Range.getSingleElement())
    return std::pair(X, *Only);
  // One of the ends, if the reader is not executed for the rest of the range.
  const SCEV *Of = SE.getSCEV(const_cast<Value *>(X));
  for (const auto &[Predicate, End] :
       {std::pair(ICmpInst::ICMP_SGE, Range.getSignedMax()),
        std::pair(ICmpInst::ICMP_UGE, Range.getUnsignedMax()),
        std::pair(ICmpInst::ICMP_SLE, Range.getSignedMin()),
        std::pair(ICmpInst::ICMP_ULE, Range.getUnsignedMin())})
    if (isKnownAt(*Reader.getParent(), Predicate, Of, SE.getConstant(End)))
      return std::pair(X, End);
  return std::nullopt;
}

/// Where the loops \p Entered are.
bool Coverage::isAtMost(const SCEV *X, const SCEV *Y,
                        ArrayRef<const Loop *> Entered) {
  auto *First = dyn_cast<SCEVConstant>(X), *Second = dyn_cast<SCEVConstant>(Y);
  if (First && Second)
    return First->getAPInt().sle(Second->getAPInt());
  if (X == Y || SE.isKnownPredicate(ICmpInst::ICMP_SLE, X, Y))
    return true;
  for (const Loop *Each : Entered) {
    X = Guarded.apply(X, *Each);
    Y = Guarded.apply(Y, *Each);
  }
  // Both are places in one object, or at its end.
  const SCEV *Apart = SE.getMinusSCEV(Y, X);
  return !isa<SCEVCouldNotCompute>(Apart) && SE.isKnownNonNegative(Apart);
}

/// If the nest of \p Next is not executed, \p Reader reads no further than what
/// is \p Covered.
bool Coverage::isNothingLeft(const Piece &Next, const SCEV *Covered,
                             const SCEV *End, const Instruction &Reader) {
  std::optional<Guards> If = guardsOf(Next, Reader);
  return If && all_of(*If, [&](const auto &Guard) {
           auto Only = onlyValueIf(Guard.first, !Guard.second, Reader);
           if (!Only)
             return false;
           ValueToSCEVMapTy Values;
           Values[Only->first] = SE.getConstant(Only->second);
           auto then = [&](const SCEV *S) {
             return SCEVParameterRewriter::rewrite(S, SE, Values);
           };
           return isAtMost(then(End), then(Covered), {});
         });
}

/// Where \p Reader reads, whatever its address is: in the range of that, or all
/// of the object; none if nobody knows how large that is.
std::optional<Interval> Coverage::atMost(const Instruction &Reader) const {
  std::optional<Interval> All;
  if (const SCEV *Size = size(); Size && Size->getType()->isIntegerTy(64))
    All = {bytes(0), Size};
  auto *Load = dyn_cast<LoadInst>(&Reader);
  if (!Load)
    return All;
  const SCEV *Distance = SE.getMinusSCEV(
      SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())),
      SE.getSCEV(const_cast<Value *>(&A)));
  TypeSize Bytes = DL.getTypeStoreSize(Load->getType());
  if (isa<SCEVCouldNotCompute>(Distance) || Bytes.isScalable() ||
      SE.getSignedRangeMin(Distance).isNegative() ||
      SE.getSignedRangeMax(Distance).ugt(MaxBytes))
    return All;
  return Interval{bytes(SE.getSignedRangeMin(Distance).getSExtValue()),
                  bytes(SE.getSignedRangeMax(Distance).getSExtValue() +
                        int64_t(Bytes.getFixedValue()))};
}

bool Coverage::isCovered(const Instruction &Reader, ArrayRef<Piece> Pieces) {
  std::optional<Interval> Range = directly(Reader, /*Writes=*/false);
  if (!Range)
    Range = inNest(Reader);
  if (!Range)
    Range = atMost(Reader);
  if (!Range)
    return false;
  const Interval Read = *Range;
  // All up to here has been written.
  const SCEV *Covered = Read.Begin;
  SmallPtrSet<const Piece *, 8> Used;
  SmallVector<const Loop *, 8> Entered;
  if (const Loop *Around = P.LI->getLoopFor(Reader.getParent()))
    Entered.push_back(Around);
  auto continues = [&](const Piece &Each) {
    if (Used.contains(&Each) ||
        !(isBefore(Each, Reader) ||
          isNothingLeft(Each, Covered, Read.End, Reader)))
      return false;
    SmallVector<const Loop *, 8> Then(Entered);
    if (Each.Nest)
      Then.push_back(Each.Nest);
    return isAtMost(Each.Bytes.Begin, Covered, Then) &&
           isAtMost(Covered, Each.Bytes.End, Then);
  };
  while (!isAtMost(Read.End, Covered, Entered)) {
    auto *Next = find_if(Pieces, continues);
    if (Next == Pieces.end())
      return false;
    Used.insert(Next);
    if (Next->Nest)
      Entered.push_back(Next->Nest);
    Covered = Next->Bytes.End;
  }
  return true;
}

/// Elements that one iteration writes side by side, such as the components of a
/// vector, leave no gap together.
SmallVector<Piece, 8> Coverage::written(ArrayRef<const Instruction *> Writers) {
  SmallVector<Piece, 8> Result;
  SmallVector<Row, 8> Rows;
  for (const Instruction *W : Writers) {
    if (!L.contains(W))
      continue;
    if (std::optional<Interval> Direct = directly(*W, /*Writes=*/true))
      Result.push_back({*Direct, W, nullptr});
    else if (std::optional<Row> R = rowOf(*W))
      Rows.push_back(std::move(*R));
  }
  for (Row &First : Rows) {
    // Those that begin where this one ends are added to it until none does.
    for (bool Grew = true; Grew;) {
      auto *Next = find_if(Rows, [&](const Row &Other) {
        return First.Bytes < MaxBytes && First.advancesAs(Other) &&
               SE.getAddExpr(First.Begin, bytes(First.Bytes)) == Other.Begin;
      });
      Grew = Next != Rows.end();
      if (Grew)
        First.Bytes += Next->Bytes;
    }
    const SCEV *Begin = nullptr;
    if (const SCEV *Span = spanOf(First, Begin))
      Result.push_back({{Begin, SE.getAddExpr(Begin, Span)},
                        First.Access.I,
                        First.Access.Nest});
  }
  return Result;
}

SmallVector<const Instruction *, 4>
Coverage::notCovered(ArrayRef<const Instruction *> Readers,
                     ArrayRef<const Instruction *> Writers) {
  SmallVector<Piece, 8> Pieces;
  if (Readers.size() + Writers.size() <= MaxAccesses &&
      !(isa<AllocaInst>(A) && !size()))
    Pieces = written(Writers);
  SmallVector<const Instruction *, 4> Result;
  for (const Instruction *R : Readers)
    if (L.contains(R) && P.canReturn(R->getParent()) &&
        (Pieces.empty() || !isCovered(*R, Pieces)))
      Result.push_back(R);
  return Result;
}

/// The writer is not behind the reader, and they do not access different parts.
bool Coverage::mayReach(const Instruction &Writer, const Instruction &Reader) {
  const BasicBlock *From = Writer.getParent(), *To = Reader.getParent();
  const Loop *Around = P.LI->getLoopFor(From);
  while (!Around->contains(To))
    Around = Around->getParentLoop();
  if (Around == &L &&
      (From == To ? Reader.comesBefore(&Writer) : comesBefore(*To, *From)))
    return false;
  SmallVector<const Loop *, 2> Entered;
  auto rangeOf = [&](const Instruction &I, bool Writes) {
    if (const Loop *In = P.LI->getLoopFor(I.getParent()); In != &L)
      Entered.push_back(In);
    std::optional<Interval> Range = directly(I, Writes);
    return Range ? Range : inNest(I);
  };
  const std::optional<Interval> Written = rangeOf(Writer, /*Writes=*/true);
  const std::optional<Interval> Read = rangeOf(Reader, /*Writes=*/false);
  return !Written || !Read ||
         !(isAtMost(Written->End, Read->Begin, Entered) ||
           isAtMost(Read->End, Written->Begin, Entered));
}

} // namespace

SmallVector<const Instruction *, 4> writersOfWhatIsRead(
    const Value &A, uint64_t Bytes, const Loop &L, const Instruction &Reader,
    ArrayRef<const Instruction *> Writers, const Primal &P, LoopMemory &M) {
  SmallVector<const Instruction *, 4> Result;
  Coverage Of(A, Bytes, L, P, M);
  copy_if(Writers, std::back_inserter(Result),
          [&](const Instruction *W) { return Of.mayReach(*W, Reader); });
  return Result;
}

SmallVector<const Instruction *, 4>
readBeforeWritten(const Value &A, uint64_t Bytes, const Loop &L,
                  ArrayRef<const Instruction *> Readers,
                  ArrayRef<const Instruction *> Writers, const Primal &P,
                  LoopMemory &M) {
  return Coverage(A, Bytes, L, P, M).notCovered(Readers, Writers);
}

} // namespace adze
