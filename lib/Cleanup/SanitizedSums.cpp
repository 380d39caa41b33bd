// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadSanitizer does not see atomic additions of floats: of such a sum in one
// thread and a plain one in another, it would say nothing. It sees exchanges.
#include "adze/Cleanup.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

static void exchange(AtomicRMWInst &Sum) {
  BasicBlock *Before = Sum.getParent();
  BasicBlock *Behind = SplitBlock(Before, &Sum);
  BasicBlock *Again = BasicBlock::Create(Sum.getContext(), "exchange",
                                         Before->getParent(), Behind);
  Before->getTerminator()->setSuccessor(0, Again);
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(Sum.getDebugLoc());
  Type *Float = Sum.getType();
  Type *Word = B.getIntNTy(Float->getPrimitiveSizeInBits());
  LoadInst *First =
      B.CreateAlignedLoad(Word, Sum.getPointerOperand(), Sum.getAlign());
  First->setAtomic(AtomicOrdering::Monotonic);
  First->copyMetadata(Sum);
  B.SetInsertPoint(Again);
  PHINode *Old = B.CreatePHI(Word, 2);
  Value *New = B.CreateFAdd(B.CreateBitCast(Old, Float), Sum.getValOperand());
  AtomicCmpXchgInst *Exchange = B.CreateAtomicCmpXchg(
      Sum.getPointerOperand(), Old, B.CreateBitCast(New, Word), Sum.getAlign(),
      AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
  Exchange->copyMetadata(Sum);
  Value *Found = B.CreateExtractValue(Exchange, 0);
  Old->addIncoming(First, Before);
  Old->addIncoming(Found, Again);
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), Behind, Again);
  Sum.replaceAllUsesWith(IRBuilder<>(&Sum).CreateBitCast(Found, Float));
  Sum.eraseFromParent();
}

static bool exposeSums(Function &F) {
  SmallVector<AtomicRMWInst *, 8> Sums;
  for (Instruction &I : instructions(F))
    if (auto *Sum = dyn_cast<AtomicRMWInst>(&I);
        Sum && Sum->getOperation() == AtomicRMWInst::FAdd &&
        (Sum->getType()->isFloatTy() || Sum->getType()->isDoubleTy()))
      Sums.push_back(Sum);
  for (AtomicRMWInst *Sum : Sums)
    exchange(*Sum);
  return !Sums.empty();
}

void exposeSumsToSanitizer(Module &M, FunctionAnalysisManager &FAM) {
  for (Function &F : M)
    if (F.hasFnAttribute(Attribute::SanitizeThread) && isOwn(F) &&
        exposeSums(F))
      FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace adze
