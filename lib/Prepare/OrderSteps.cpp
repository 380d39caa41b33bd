// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rows[i].v[j], where i varies in a loop and j does not: the optimizer computes
// the address of rows[0].v[j] before the loop, and steps over structures from
// there:
//
//   h = getelementptr [4 x float], %rows, 0, j
//   g = getelementptr [8 x %Row], h, 0, i, ...
//
// or the address of the member of rows[0] that is accessed in each row.
//
// At h there is no structure, and what the step says of types is said of bytes
// that it is not about. So the steps are put back into the order of the source,
// large ones first. An address is the same sum in each order; that it stays in
// its object on the way is not promised any more.
#include "Prepare/Stages.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace adze {

namespace {

/// The bytes of the array that \p GEP selects an element of by an index that
/// varies; 0 if it does something else.
uint64_t arraySelectedFrom(const GetElementPtrInst &GEP, const DataLayout &DL) {
  auto *Array = dyn_cast<ArrayType>(GEP.getSourceElementType());
  auto *First = dyn_cast<ConstantInt>(*GEP.idx_begin());
  if (!Array || !First || !First->isZero() || GEP.getNumIndices() != 2 ||
      GEP.hasAllConstantIndices() || !GEP.getType()->isPointerTy())
    return 0;
  TypeSize Size = DL.getTypeAllocSize(Array);
  return Size.isScalable() ? 0 : Size.getFixedValue();
}

/// The smallest distance that an index of \p GEP that varies steps by; 0 if
/// there is none.
uint64_t smallestStep(const GetElementPtrInst &GEP, const DataLayout &DL) {
  uint64_t Smallest = 0;
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       ++It) {
    if (isa<ConstantInt>(It.getOperand()))
      continue;
    TypeSize Step = It.getSequentialElementStride(DL);
    if (Step.isScalable() || !GEP.getType()->isPointerTy())
      return 0;
    if (!Smallest || Step.getFixedValue() < Smallest)
      Smallest = Step.getFixedValue();
  }
  return Smallest;
}

/// \p Steps goes over an array of the structures of which \p Member selects a
/// member.
bool stepsOverStructures(const GetElementPtrInst &Steps,
                         const GetElementPtrInst &Member) {
  Type *Structure = Member.getSourceElementType();
  auto *Array = dyn_cast<ArrayType>(Steps.getSourceElementType());
  auto *First = dyn_cast<ConstantInt>(*Member.idx_begin());
  return isa<StructType>(Structure) && Array &&
         Array->getElementType() == Structure && First && First->isZero() &&
         Member.getNumIndices() > 1 && Member.hasAllConstantIndices() &&
         Steps.getNumIndices() == 2 && !Steps.hasAllConstantIndices() &&
         Steps.getType()->isPointerTy() && Member.getType()->isPointerTy();
}

GetElementPtrInst *sameSteps(GetElementPtrInst &Steps, Value *From,
                             GetElementPtrInst &Before) {
  SmallVector<Value *, 4> Indices(Steps.indices());
  auto *New = GetElementPtrInst::Create(Steps.getSourceElementType(), From,
                                        Indices, Steps.getName(), &Before);
  New->setDebugLoc(Before.getDebugLoc());
  return New;
}

} // namespace

void orderSteps(Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<WeakTrackingVH, 16> Work;
  for (Instruction &I : instructions(F))
    if (isa<GetElementPtrInst>(I))
      Work.push_back(&I);
  // Each exchange puts one more pair in order, so this ends.
  for (unsigned I = 0; I < Work.size(); ++I) {
    auto *Large = dyn_cast_or_null<GetElementPtrInst>(Work[I]);
    auto *Small = Large
                      ? dyn_cast<GetElementPtrInst>(Large->getPointerOperand())
                      : nullptr;
    if (!Small)
      continue;
    uint64_t Array = arraySelectedFrom(*Small, DL);
    bool IsLarge = Array && smallestStep(*Large, DL) >= Array &&
                   !(Small->isInBounds() && Large->isInBounds());
    if (!IsLarge && !stepsOverStructures(*Large, *Small))
      continue;
    GetElementPtrInst *First =
        sameSteps(*Large, Small->getPointerOperand(), *Large);
    GetElementPtrInst *Then = sameSteps(*Small, First, *Large);
    Then->copyMetadata(*Large); // what is behind the address
    Large->replaceAllUsesWith(Then);
    Large->eraseFromParent();
    if (Small->use_empty())
      Small->eraseFromParent();
    Work.push_back(First);
    for (User *U : Then->users())
      if (isa<GetElementPtrInst>(U))
        Work.push_back(U);
  }
}

} // namespace adze
