// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer that may lead to memory with a shadow or to memory without one has
// a shadow all the same: where it leads to memory without one, it is
// self-shadowed, its own shadow. So what a self-shadowed pointer leads to is
// found through either, and pointers loaded there are plain again.
#include "adze/AliasScopes.h"
#include "adze/RuleContext.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

static bool hasPointers(Type *Ty) {
  if (Ty->isPtrOrPtrVectorTy())
    return true;
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return hasPointers(A->getElementType());
  return Ty->isStructTy() && any_of(Ty->subtypes(), hasPointers);
}

bool holdsPointers(const Value *V, const Facts &F) {
  Type *Ty = V->getType();
  if (!Ty->getScalarType()->isIntegerTy())
    return hasPointers(Ty);
  if (isa<ConstantData>(V))
    return false;
  BlockLayout Layout = F.Types->valueLayout(V);
  return Layout.has(ConcreteType::Pointer) && !Layout.has(ConcreteType::Float);
}

/// \p V with zeros in place of what is no pointer.
static Value *pointersOf(IRBuilderBase &B, Value *V) {
  Type *Ty = V->getType();
  if (Ty->isPtrOrPtrVectorTy())
    return V;
  Value *Result = Constant::getNullValue(Ty);
  if (!hasPointers(Ty))
    return Result;
  unsigned Count = Ty->isStructTy() ? Ty->getStructNumElements()
                                    : unsigned(Ty->getArrayNumElements());
  for (unsigned I = 0; I < Count; ++I)
    if (hasPointers(ExtractValueInst::getIndexedType(Ty, {I})))
      Result = B.CreateInsertValue(
          Result, pointersOf(B, B.CreateExtractValue(V, I)), I);
  return Result;
}

/// \p V with zeros in place of what is no pointer where \p SelfShadowed is
/// true.
static Value *pointersIf(IRBuilderBase &B, Value *SelfShadowed, Value *V) {
  Type *Ty = V->getType();
  if (!Ty->isAggregateType() || !hasPointers(Ty))
    return Ty->isPtrOrPtrVectorTy()
               ? V
               : B.CreateSelect(SelfShadowed, Constant::getNullValue(Ty), V);
  return B.CreateSelect(SelfShadowed, pointersOf(B, V), V);
}

Value *EmitContext::dualOrSelf(const Value *V) {
  if (!holdsPointers(V, F))
    return L.zero(V->getType());
  Value *Primal = primal(V);
  return L.splat(B, V->getType()->isAggregateType() ? pointersOf(B, Primal)
                                                    : Primal);
}

bool isNumberBesideAddress(const Instruction &To, const Value *V,
                           const Facts &F) {
  return To.getType()->isIntegerTy() && F.hasShadow(&To) && !F.isActive(&To) &&
         !F.hasShadow(V);
}

Value *ForwardSweepContext::dualFor(const Instruction &To, const Value *V) {
  return isNumberBesideAddress(To, V, F) ? L.splat(B, primal(V)) : dual(V);
}

Value *EmitContext::isSelfShadowed(const Value *Ptr, Value *Shadow) {
  if (!hasShadow(Ptr))
    return B.getTrue();
  return mayBeSelfShadowed(Ptr) ? B.CreateICmpEQ(Shadow, primal(Ptr), "plain")
                                : nullptr;
}

Value *EmitContext::zeroIfSelfShadowed(const Value *Ptr, Value *Shadow,
                                       Value *V) {
  Value *SelfShadowed = isSelfShadowed(Ptr, Shadow);
  return SelfShadowed ? pointersIf(B, SelfShadowed, V) : V;
}

Value *EmitContext::writable(const Value *Ptr, Value *Shadow, Type *Ty) {
  Value *SelfShadowed = isSelfShadowed(Ptr, Shadow);
  if (!SelfShadowed)
    return Shadow;
  Value *&Elsewhere = Discarded[Ty];
  if (!Elsewhere) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    Elsewhere =
        new AllocaInst(Ty, dataLayout().getAllocaAddrSpace(), nullptr,
                       std::max(dataLayout().getPrefTypeAlign(Ty), Align(16)),
                       "discarded", Entry.begin());
  }
  return B.CreateSelect(SelfShadowed, Elsewhere, Shadow);
}

Instruction *EmitContext::tagShadow(Instruction *Access,
                                    const Instruction &Mirrored) const {
  const Value *Ptr = getLoadStorePointerOperand(&Mirrored);
  numberDirection(*Access, L.current(), L.count());
  if (!hasShadow(Ptr) || mayBeSelfShadowed(Ptr))
    return Access;
  adze::tagShadow(*Access, Mirrored, F);
  if (carriesFloats())
    tagDirection(*Access, L.current(), L.count());
  return Access;
}

} // namespace adze
