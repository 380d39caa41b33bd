// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written lies between two constant distances from the begin of the
// variable: by one instruction, or by a nest of loops of constant counts that
// leaves no gap. It is all written before something is read that the
// instruction dominates, or the header of the nest if the reader is not in it:
// the nest is left in one place only, after all its iterations. (A path from
// the header of L to the reader is one from the function's entry to it if the
// iteration is the first one, so that dominators in L are passed in each
// iteration.)
#include "Loops/Coverage.h"
#include "Loops/LoopMemory.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Accesses to one variable, and its size.
constexpr size_t MaxAccesses = 64;
constexpr int64_t MaxBytes = 65536;

/// Distances from the begin of the variable.
struct Interval {
  int64_t Begin, End;
};

/// What is written, in a nest or by one instruction.
struct Piece {
  Interval Bytes;
  const Instruction *By;
  const Loop *Nest;
};

class Coverage {
public:
  Coverage(const AllocaInst &A, const Loop &L, const Primal &P, LoopMemory &M)
      : A(A), L(L), P(P), M(M), DL(P.F->getDataLayout()) {}

  bool covers(ArrayRef<const Instruction *> Readers,
              ArrayRef<const Instruction *> Writers);

private:
  std::optional<Interval> directly(const Instruction &I, bool Writes) const;
  std::optional<Piece> inNest(const Instruction &I);
  bool isBefore(const Piece &Written, const Instruction &Reader) const;
  bool isCovered(const Instruction &Reader, ArrayRef<Piece> Pieces);

  const AllocaInst &A;
  const Loop &L;
  const Primal &P;
  LoopMemory &M;
  const DataLayout &DL;
  int64_t Size = 0;
};

/// What one execution of \p I accesses, if that is always the same.
std::optional<Interval> Coverage::directly(const Instruction &I,
                                           bool Writes) const {
  const Value *Pointer = nullptr;
  int64_t Bytes = 0;
  if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Block->getLength());
    if (!Length || Length->getValue().ugt(MaxBytes))
      return std::nullopt;
    Bytes = int64_t(Length->getZExtValue());
    Pointer = Writes ? Block->getRawDest()
                     : cast<MemTransferInst>(Block)->getRawSource();
  } else {
    TypeSize Stored =
        DL.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&I)));
    if (Stored.isScalable())
      return std::nullopt;
    Bytes = int64_t(Stored.getFixedValue());
    Pointer = getLoadStorePointerOperand(&I);
  }
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Pointer = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (Pointer != &A || Offset.isNegative() || Offset.ugt(MaxBytes))
    return std::nullopt;
  return Interval{Offset.getSExtValue(), Offset.getSExtValue() + Bytes};
}

/// What \p I accesses in all iterations of a nest, without gaps.
std::optional<Piece> Coverage::inNest(const Instruction &I) {
  if (!isa<LoadInst, StoreInst>(I))
    return std::nullopt;
  std::optional<AffineAccess> Access =
      M.Affine.find(const_cast<Instruction &>(I), &L);
  if (!Access || !Access->If.empty() || !L.contains(Access->Nest))
    return std::nullopt;
  auto *Start = dyn_cast<SCEVConstant>(M.SE.getMinusSCEV(
      Access->Start, M.SE.getSCEV(const_cast<AllocaInst *>(&A))));
  TypeSize Stored = DL.getTypeStoreSize(Access->type());
  if (!Start || Start->getAPInt().abs().ugt(MaxBytes) || Stored.isScalable())
    return std::nullopt;
  int64_t Begin = Start->getAPInt().getSExtValue();
  int64_t Span = int64_t(Stored.getFixedValue());
  SmallVector<std::pair<int64_t, int64_t>, 3> Steps; // and last iterations
  for (const Advance &Next : Access->Advances) {
    auto *Step = dyn_cast<SCEVConstant>(Next.Step);
    auto *Last = dyn_cast_or_null<ConstantInt>(Next.L->LastIteration);
    if (!Step || !Last || Step->getAPInt().abs().ugt(MaxBytes) ||
        Last->getValue().ugt(MaxBytes))
      return std::nullopt;
    Steps.push_back({Step->getAPInt().getSExtValue(), Last->getSExtValue()});
  }
  llvm::sort(Steps, [](const auto &X, const auto &Y) {
    return std::abs(X.first) < std::abs(Y.first);
  });
  for (auto [Step, Last] : Steps) {
    if (std::abs(Step) > Span)
      return std::nullopt;
    Begin += std::min<int64_t>(Step * Last, 0);
    Span += std::abs(Step) * Last;
  }
  return Piece{{Begin, Begin + Span}, &I, Access->Nest};
}

bool Coverage::isBefore(const Piece &Written, const Instruction &Reader) const {
  return Written.Nest ? !Written.Nest->contains(&Reader) &&
                            P.DT->dominates(Written.Nest->getHeader(),
                                            Reader.getParent())
                      : P.DT->dominates(Written.By, &Reader);
}

bool Coverage::isCovered(const Instruction &Reader, ArrayRef<Piece> Pieces) {
  Interval Read{0, Size};
  if (std::optional<Interval> Direct = directly(Reader, /*Writes=*/false))
    Read = *Direct;
  else if (std::optional<Piece> Nest = inNest(Reader))
    Read = Nest->Bytes;
  SmallVector<Interval, 8> Written;
  for (const Piece &Next : Pieces)
    if (isBefore(Next, Reader))
      Written.push_back(Next.Bytes);
  llvm::sort(Written, [](const Interval &X, const Interval &Y) {
    return X.Begin < Y.Begin;
  });
  for (const Interval &Next : Written)
    if (Next.Begin <= Read.Begin)
      Read.Begin = std::max(Read.Begin, Next.End);
  return Read.Begin >= Read.End;
}

bool Coverage::covers(ArrayRef<const Instruction *> Readers,
                      ArrayRef<const Instruction *> Writers) {
  std::optional<TypeSize> Bytes = A.getAllocationSize(DL);
  if (!Bytes || Bytes->isScalable() || Bytes->getFixedValue() > MaxBytes ||
      Readers.size() + Writers.size() > MaxAccesses)
    return false;
  Size = int64_t(Bytes->getFixedValue());
  SmallVector<Piece, 8> Pieces;
  for (const Instruction *W : Writers) {
    if (!L.contains(W))
      continue;
    if (std::optional<Interval> Direct = directly(*W, /*Writes=*/true))
      Pieces.push_back({*Direct, W, nullptr});
    else if (std::optional<Piece> Nest = inNest(*W))
      Pieces.push_back(*Nest);
  }
  return !Pieces.empty() && all_of(Readers, [&](const Instruction *R) {
    return !L.contains(R) || !P.canReturn(R->getParent()) ||
           isCovered(*R, Pieces);
  });
}

} // namespace

bool isWrittenBeforeRead(const AllocaInst &A, const Loop &L,
                         ArrayRef<const Instruction *> Readers,
                         ArrayRef<const Instruction *> Writers, const Primal &P,
                         LoopMemory &M) {
  return Coverage(A, L, P, M).covers(Readers, Writers);
}

} // namespace adze
