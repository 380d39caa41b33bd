// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/AbiScalars.h"
#include "adze/AggregateParts.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace adze;

void ScalarClasses::add(const ScalarClasses &O) {
  Floats = std::min(2u, Floats + O.Floats);
  Pointers |= O.Pointers;
  Others |= O.Others;
}

ScalarClasses adze::scalarClasses(Type *Ty) {
  ScalarClasses Sum;
  SmallVector<Type *, 8> Work{Ty};
  while (!Work.empty()) {
    Type *T = Work.pop_back_val();
    if (auto *S = dyn_cast<StructType>(T)) {
      Work.append(S->element_begin(), S->element_end());
    } else if (isa<ArrayType>(T) || isa<VectorType>(T)) {
      bool Array = isa<ArrayType>(T);
      uint64_t Count =
          Array ? T->getArrayNumElements()
                : cast<VectorType>(T)->getElementCount().getKnownMinValue();
      Type *Element = T->getContainedType(0);
      for (uint64_t I = 0; I != std::min<uint64_t>(2, Count); ++I)
        Work.push_back(Element);
    } else if (T->isFloatingPointTy()) {
      Sum.add({1, false, false});
    } else if (T->isPointerTy()) {
      Sum.Pointers = true;
    } else {
      Sum.Others = true;
    }
  }
  return Sum;
}

bool adze::collectAbiScalars(Type *Ty, const DataLayout &DL,
                             SmallVectorImpl<AbiScalar> &Scalars) {
  const unsigned Limit = 1000;
  if (countParts(Ty, Limit) > Limit)
    return false;
  forEachPart(Ty, DL, [&](const AggregatePart &Part) {
    auto *Vector = dyn_cast<FixedVectorType>(Part.Ty);
    Type *Scalar = Vector ? Vector->getElementType() : Part.Ty;
    uint64_t Size = Vector ? DL.getTypeStoreSize(Scalar).getFixedValue() : 0;
    for (unsigned I = 0, E = Vector ? Vector->getNumElements() : 1;
         I != E && Scalars.size() <= Limit; ++I)
      Scalars.push_back({Part.Offset + I * Size, Scalar});
  });
  return Scalars.size() <= Limit;
}

SizeAndAlign adze::sourceLayout(Type *Ty, const DataLayout &DL) {
  if (auto *V = dyn_cast<FixedVectorType>(Ty)) {
    Type *Element = V->getElementType();
    if (Element->isFloatTy() && V->getNumElements() == 2)
      return {8, DL.getABITypeAlign(Element).value()};
  } else if (auto *S = dyn_cast<StructType>(Ty)) {
    // Registers of a structure: the last one may be filled in part only.
    const StructLayout *Layout = DL.getStructLayout(S);
    SizeAndAlign Sum{0, 1};
    for (unsigned I = 0; I != S->getNumElements(); ++I) {
      SizeAndAlign One = sourceLayout(S->getElementType(I), DL);
      Sum.Align = std::max(Sum.Align, One.Align);
      Sum.Size = Layout->getElementOffset(I).getFixedValue() + One.Size;
    }
    Sum.Size = alignTo(Sum.Size, Sum.Align);
    return Sum;
  }
  return {DL.getTypeAllocSize(Ty).getFixedValue(),
          DL.getABITypeAlign(Ty).value()};
}
