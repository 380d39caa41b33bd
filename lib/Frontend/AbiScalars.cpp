// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/AbiScalars.h"

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
  SmallVector<AbiScalar, 8> Work{{0, Ty}};
  while (!Work.empty()) {
    auto [Offset, T] = Work.pop_back_val();
    if (auto *S = dyn_cast<StructType>(T)) {
      const StructLayout *Layout = DL.getStructLayout(S);
      for (unsigned I = S->getNumElements(); I-- != 0;)
        Work.push_back(
            {Offset + Layout->getElementOffset(I), S->getElementType(I)});
    } else if (isa<ArrayType>(T) || isa<FixedVectorType>(T)) {
      bool Array = isa<ArrayType>(T);
      uint64_t Count = Array ? T->getArrayNumElements()
                             : cast<FixedVectorType>(T)->getNumElements();
      Type *Element = T->getContainedType(0);
      uint64_t Size = Array ? DL.getTypeAllocSize(Element).getFixedValue()
                            : DL.getTypeStoreSize(Element).getFixedValue();
      if (Count + Work.size() > Limit)
        return false;
      for (uint64_t I = Count; I-- != 0;)
        Work.push_back({Offset + I * Size, Element});
    } else {
      if (Scalars.size() == Limit)
        return false;
      Scalars.push_back({Offset, T});
    }
  }
  return true;
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
