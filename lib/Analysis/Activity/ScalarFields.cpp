// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/ScalarFields.h"
#include "Analysis/Activity/DataFlow.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace adze {

static constexpr unsigned MaxFields = 32;

/// Capped: enough to see that there are too many.
static uint64_t countFields(Type *Ty) {
  if (auto *S = dyn_cast<StructType>(Ty)) {
    uint64_t N = 0;
    for (Type *E : S->elements())
      N = std::min<uint64_t>(N + countFields(E), MaxFields + 1);
    return N;
  }
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return std::min<uint64_t>(A->getNumElements(), MaxFields + 1) *
           countFields(A->getElementType());
  return 1;
}

static void append(Type *Ty, int64_t Offset, const DataLayout &DL,
                   SmallVectorImpl<ScalarField> &Fields) {
  if (auto *S = dyn_cast<StructType>(Ty)) {
    const StructLayout *Layout = DL.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      append(S->getElementType(I),
             Offset + int64_t(Layout->getElementOffset(I).getKnownMinValue()),
             DL, Fields);
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(Ty)) {
    int64_t Stride =
        DL.getTypeAllocSize(A->getElementType()).getKnownMinValue();
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      append(A->getElementType(), Offset + int64_t(I) * Stride, DL, Fields);
    return;
  }
  TypeSize Size = DL.getTypeStoreSize(Ty);
  Fields.push_back(
      {Ty, Offset,
       Size.isScalable() ? AnySize : int64_t(Size.getFixedValue())});
}

SmallVector<ScalarField, 2> scalarFieldsOf(Type *Ty, const DataLayout &DL) {
  SmallVector<ScalarField, 2> Fields;
  if (!Ty->isSized())
    return Fields;
  if (countFields(Ty) > MaxFields)
    Fields.push_back(
        {Ty, 0, int64_t(DL.getTypeStoreSize(Ty).getKnownMinValue())});
  else
    append(Ty, 0, DL, Fields);
  return Fields;
}

std::pair<unsigned, unsigned> fieldsOfMember(Type *Ty,
                                             ArrayRef<unsigned> Indices) {
  if (countFields(Ty) > MaxFields)
    return {0, 1};
  unsigned First = 0;
  for (unsigned Index : Indices) {
    if (auto *S = dyn_cast<StructType>(Ty)) {
      for (unsigned I = 0; I < Index; ++I)
        First += countFields(S->getElementType(I));
      Ty = S->getElementType(Index);
    } else {
      Ty = cast<ArrayType>(Ty)->getElementType();
      First += Index * countFields(Ty);
    }
  }
  return {First, unsigned(countFields(Ty))};
}

} // namespace adze
