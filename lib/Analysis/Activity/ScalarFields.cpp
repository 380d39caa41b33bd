// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/ScalarFields.h"
#include "Analysis/Activity/DataFlow.h"
#include "adze/AggregateParts.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace adze {

static constexpr unsigned MaxFields = 32;

static uint64_t countFields(Type *Ty) { return countParts(Ty, MaxFields); }

SmallVector<ScalarField, 2> scalarFieldsOf(Type *Ty, const DataLayout &DL) {
  SmallVector<ScalarField, 2> Fields;
  if (!Ty->isSized())
    return Fields;
  if (countFields(Ty) > MaxFields)
    Fields.push_back(
        {Ty, 0, int64_t(DL.getTypeStoreSize(Ty).getKnownMinValue())});
  else
    forEachPart(Ty, DL, [&](const AggregatePart &Part) {
      TypeSize Size = DL.getTypeStoreSize(Part.Ty);
      Fields.push_back(
          {Part.Ty, int64_t(Part.Offset),
           Size.isScalable() ? AnySize : int64_t(Size.getFixedValue())});
    });
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
