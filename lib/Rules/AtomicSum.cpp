// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AtomicSum.h"
#include "FloatBits.h"
#include "adze/Facts.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

bool canAddAtomically(const Type *Ty) {
  if (isa<ScalableVectorType>(Ty))
    return false;
  const Type *Float = Ty->getScalarType();
  return Float->isFloatTy() || Float->isDoubleTy();
}

Type *atomicTypeOf(const LoadInst &Load, const Facts &F) {
  Type *Ty = Load.getType();
  const DataLayout &DL = Load.getDataLayout();
  if (Ty->isIntegerTy()) {
    const BlockLayout Layout = layoutOfBits(&Load, F);
    const bool IsOne = Layout.Ranges.size() == 1 &&
                       Layout.Ranges[0].Type.isFloat() &&
                       Layout.Ranges[0].Begin == 0;
    Type *Float = IsOne ? Layout.Ranges[0].Type.floatType() : nullptr;
    Ty = Float && DL.getTypeStoreSize(Float) == DL.getTypeStoreSize(Ty) ? Float
                                                                        : Ty;
  }
  // Loads that were moved may know less of their address than it says itself.
  const Align Known = std::max(
      Load.getAlign(),
      getKnownAlignment(const_cast<Value *>(Load.getPointerOperand()), DL));
  return canAddAtomically(Ty) &&
                 Known >= DL.getTypeStoreSize(Ty->getScalarType())
             ? Ty
             : nullptr;
}

void addAtomically(IRBuilderBase &B, Value *Place, Value *Term) {
  auto add = [&](Value *To, Value *Float) {
    const Align Aligned(Float->getType()->getPrimitiveSizeInBits() / 8);
    B.CreateAtomicRMW(AtomicRMWInst::FAdd, To, Float, Aligned,
                      AtomicOrdering::Monotonic);
  };
  auto *Vector = dyn_cast<FixedVectorType>(Term->getType());
  if (!Vector)
    return add(Place, Term);
  for (unsigned K = 0; K < Vector->getNumElements(); ++K)
    add(B.CreateConstInBoundsGEP1_64(Vector->getElementType(), Place, K),
        B.CreateExtractElement(Term, K));
}

} // namespace adze
