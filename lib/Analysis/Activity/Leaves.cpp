// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/Leaves.h"
#include "Analysis/Activity/DataFlow.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace adze {

static constexpr unsigned MaxLeaves = 32;

/// Capped: enough to see that there are too many.
static uint64_t countLeaves(Type *Ty) {
  if (auto *S = dyn_cast<StructType>(Ty)) {
    uint64_t N = 0;
    for (Type *E : S->elements())
      N = std::min<uint64_t>(N + countLeaves(E), MaxLeaves + 1);
    return N;
  }
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return std::min<uint64_t>(A->getNumElements(), MaxLeaves + 1) *
           countLeaves(A->getElementType());
  return 1;
}

static void append(Type *Ty, int64_t Offset, const DataLayout &DL,
                   SmallVectorImpl<Leaf> &Leaves) {
  if (auto *S = dyn_cast<StructType>(Ty)) {
    const StructLayout *Layout = DL.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      append(S->getElementType(I),
             Offset + int64_t(Layout->getElementOffset(I).getKnownMinValue()),
             DL, Leaves);
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(Ty)) {
    int64_t Stride =
        DL.getTypeAllocSize(A->getElementType()).getKnownMinValue();
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      append(A->getElementType(), Offset + int64_t(I) * Stride, DL, Leaves);
    return;
  }
  TypeSize Size = DL.getTypeStoreSize(Ty);
  Leaves.push_back(
      {Ty, Offset,
       Size.isScalable() ? AnySize : int64_t(Size.getFixedValue())});
}

SmallVector<Leaf, 2> leavesOf(Type *Ty, const DataLayout &DL) {
  SmallVector<Leaf, 2> Leaves;
  if (!Ty->isSized())
    return Leaves;
  if (countLeaves(Ty) > MaxLeaves)
    Leaves.push_back(
        {Ty, 0, int64_t(DL.getTypeStoreSize(Ty).getKnownMinValue())});
  else
    append(Ty, 0, DL, Leaves);
  return Leaves;
}

std::pair<unsigned, unsigned> memberLeaves(Type *Ty,
                                           ArrayRef<unsigned> Indices) {
  if (countLeaves(Ty) > MaxLeaves)
    return {0, 1};
  unsigned First = 0;
  for (unsigned Index : Indices) {
    if (auto *S = dyn_cast<StructType>(Ty)) {
      for (unsigned I = 0; I < Index; ++I)
        First += countLeaves(S->getElementType(I));
      Ty = S->getElementType(Index);
    } else {
      Ty = cast<ArrayType>(Ty)->getElementType();
      First += Index * countLeaves(Ty);
    }
  }
  return {First, unsigned(countLeaves(Ty))};
}

} // namespace adze
