// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AtomicSum.h"
#include "FloatBits.h"
#include "adze/Facts.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
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

/// void f(ptr place, T term, i1 alone): emitters of single instructions do not
/// branch; it is to be inlined.
static Function *unlessFunction(Module &M, Type *Ty) {
  std::string Name = "adze.add.unless.";
  raw_string_ostream(Name) << *Ty;
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Function *F =
      createOwn(FunctionType::get(
                    Type::getVoidTy(C),
                    {PointerType::getUnqual(C), Ty, Type::getInt1Ty(C)}, false),
                GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  Value *Place = F->getArg(0), *Term = F->getArg(1);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Alone = BasicBlock::Create(C, "alone", F);
  BasicBlock *Together = BasicBlock::Create(C, "together", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(F->getArg(2), Alone, Together);
  B.SetInsertPoint(Alone);
  const Align Aligned(Ty->getScalarSizeInBits() / 8);
  Value *Sum = B.CreateFAdd(B.CreateAlignedLoad(Ty, Place, Aligned), Term);
  B.CreateAlignedStore(Sum, Place, Aligned);
  B.CreateRetVoid();
  B.SetInsertPoint(Together);
  addAtomically(B, Place, Term);
  B.CreateRetVoid();
  return F;
}

void addAtomicallyUnless(IRBuilderBase &B, Value *Alone, Value *Place,
                         Value *Term) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(unlessFunction(M, Term->getType()), {Place, Term, Alone});
}

} // namespace adze
