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
// Distances are expressions where sizes and counts are no constants. Two of
// them are compared if that is known of them whatever the variables are.
#include "Loops/Coverage.h"
#include "Loops/LoopMemory.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Accesses to one variable, and its size.
constexpr size_t MaxAccesses = 256;
constexpr int64_t MaxBytes = 65536;

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
      : A(A), Extent(Extent), L(L), P(P), SE(M.SE), Affine(M.Affine),
        DL(P.F->getDataLayout()) {}

  bool covers(ArrayRef<const Instruction *> Readers,
              ArrayRef<const Instruction *> Writers);

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
  Interval atMost(const Instruction &Reader) const;
  bool isCovered(const Instruction &Reader, ArrayRef<Piece> Pieces);

  const Value &A;
  uint64_t Extent;
  const Loop &L;
  const Primal &P;
  ScalarEvolution &SE;
  AffineAccesses &Affine;
  const DataLayout &DL;
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
    return bytes(int64_t(Extent));
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
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Pointer = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (Pointer != &A || Offset.isNegative() || Offset.ugt(MaxBytes) ||
      !Bytes->getType()->isIntegerTy(64) || !SE.isLoopInvariant(Bytes, &L))
    return std::nullopt;
  const SCEV *Begin = bytes(Offset.getSExtValue());
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
    const SCEV *Last = SE.getSCEV(Next.L->LastIteration);
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

/// Where \p Reader reads, whatever its address is: in the range of that, or all
/// of the object.
Interval Coverage::atMost(const Instruction &Reader) const {
  const Interval All{bytes(0), size()};
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
  return {bytes(SE.getSignedRangeMin(Distance).getSExtValue()),
          bytes(SE.getSignedRangeMax(Distance).getSExtValue() +
                int64_t(Bytes.getFixedValue()))};
}

bool Coverage::isCovered(const Instruction &Reader, ArrayRef<Piece> Pieces) {
  Interval Read = atMost(Reader);
  if (std::optional<Interval> Direct = directly(Reader, /*Writes=*/false))
    Read = *Direct;
  else if (std::optional<Interval> All = inNest(Reader))
    Read = *All;
  auto isAtMost = [&](const SCEV *X, const SCEV *Y) {
    auto *First = dyn_cast<SCEVConstant>(X),
         *Second = dyn_cast<SCEVConstant>(Y);
    if (First && Second)
      return First->getAPInt().sle(Second->getAPInt());
    return SE.isKnownPredicate(ICmpInst::ICMP_SLE, X, Y);
  };
  // All up to here has been written.
  const SCEV *Covered = Read.Begin;
  SmallPtrSet<const Piece *, 8> Used;
  while (!isAtMost(Read.End, Covered)) {
    auto *Next = find_if(Pieces, [&](const Piece &Each) {
      return !Used.contains(&Each) && isBefore(Each, Reader) &&
             isAtMost(Each.Bytes.Begin, Covered) &&
             isAtMost(Covered, Each.Bytes.End);
    });
    if (Next == Pieces.end())
      return false;
    Used.insert(Next);
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

bool Coverage::covers(ArrayRef<const Instruction *> Readers,
                      ArrayRef<const Instruction *> Writers) {
  const SCEV *Size = size();
  if (!Size || !Size->getType()->isIntegerTy(64) ||
      Readers.size() + Writers.size() > MaxAccesses)
    return false;
  const SmallVector<Piece, 8> Pieces = written(Writers);
  return !Pieces.empty() && all_of(Readers, [&](const Instruction *R) {
    return !L.contains(R) || !P.canReturn(R->getParent()) ||
           isCovered(*R, Pieces);
  });
}

} // namespace

bool isWrittenBeforeRead(const Value &A, uint64_t Bytes, const Loop &L,
                         ArrayRef<const Instruction *> Readers,
                         ArrayRef<const Instruction *> Writers, const Primal &P,
                         LoopMemory &M) {
  return Coverage(A, Bytes, L, P, M).covers(Readers, Writers);
}

} // namespace adze
