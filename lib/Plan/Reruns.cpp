// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reruns.h"
#include "Recompute.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

bool Rerun::isInScratch(const Value *V) const {
  return V->getType()->isPointerTy() &&
         is_contained(Scratch, getUnderlyingObject(V, /*MaxLookup=*/0));
}

RerunAnalysis::RerunAnalysis(const Facts &F, const LoopRecord &L) : F(F), L(L) {
  // The reverse pass comes to each iteration by its last block.
  if (!L.ExitingBlock || L.ExitingBlock != L.L->getLoopLatch())
    return;
  for (const BasicBlock *B : blocksOf(F))
    if (L.L->contains(B))
      Blocks.push_back(B);
  for (ScratchObject &Found : findScratch(F, L, Blocks))
    Variables[Found.Object] = std::move(Found);
  refuseWhatDiffers();
  Possible = all_of(Blocks, [this](const BasicBlock *B) {
    return B == this->L.ExitingBlock || !Refused.contains(B->getTerminator());
  });
}

/// Computed by the iteration itself.
bool RerunAnalysis::isInside(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && L.L->contains(I) &&
         !(isa<PHINode>(I) && I->getParent() == L.L->getHeader());
}

/// \p V is the same when the iteration runs again.
bool RerunAnalysis::isRepeated(const Value *V) const {
  if (!isInside(V) || Variables.count(V))
    return true;
  return F.P->canReturn(cast<Instruction>(V)->getParent()) &&
         !Refused.contains(cast<Instruction>(V));
}

const Value *RerunAnalysis::scratchBehind(const Value *Pointer) const {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  return Variables.count(Object) ? Object : nullptr;
}

/// What \p Pointer leads to is there: the iteration that runs again has written
/// it to its scratch variable, or it is memory that survives, as \p Survives
/// says.
bool RerunAnalysis::isReadAgain(const Value *Pointer, bool Survives) const {
  const Value *A = scratchBehind(Pointer);
  if (!A)
    return Survives;
  return none_of(Variables.find(A)->second.Writers,
                 [this](const Instruction *W) { return Refused.contains(W); });
}

bool RerunAnalysis::canRun(const Instruction &I) const {
  if (!all_of(I.operands(), [this](const Use &U) { return isRepeated(U); }))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() &&
           isReadAgain(Load->getPointerOperand(), isLoadThatSurvives(I, F));
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() && scratchBehind(Store->getPointerOperand());
  if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    if (Block->isVolatile() || !scratchBehind(Block->getRawDest()))
      return false;
    auto *Move = dyn_cast<MemTransferInst>(Block);
    return !Move ||
           isReadAgain(Move->getRawSource(), !F.Memory->mayBeOverwritten(Move));
  }
  return isa<PHINode>(I) || I.isTerminator() || isPure(I, *F.P);
}

/// All is taken to run again until it turns out to depend on what cannot.
void RerunAnalysis::refuseWhatDiffers() {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *B : Blocks)
      for (const Instruction &I : *B)
        if (isInside(&I) && !Refused.contains(&I) && !canRun(I))
          Changed |= Refused.insert(&I).second;
  }
}

bool RerunAnalysis::canKeep(PlanValue V) const {
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I || V.Which != Part::Primal || F.P->Elsewhere.contains(I) ||
      !isInside(I) || !isRepeated(I))
    return false;
  // An address in the copy is none in the object.
  if (I->getType()->isPointerTy() && scratchBehind(I))
    return false;
  for (const LoopRecord *Inner = F.P->loopOf(I->getParent()); Inner != &L;
       Inner = Inner->Parent)
    if (!Inner->LastIteration || !isRepeated(Inner->LastIteration))
      return false;
  return true;
}

Rerun RerunAnalysis::toCompute(ArrayRef<const Value *> Kept,
                               function_ref<void(const Value *)> Need) const {
  Rerun Result;
  Result.L = &L;
  SmallVector<const Value *, 16> Work(Kept.begin(), Kept.end());
  // Arrays over inner loops have their counts and counters.
  for (const Value *V : Kept)
    for (const LoopRecord *Inner =
             F.P->loopOf(cast<Instruction>(V)->getParent());
         Inner != &L; Inner = Inner->Parent)
      append_range(
          Work, ArrayRef<const Value *>{Inner->Counter, Inner->LastIteration});
  for (const BasicBlock *B : Blocks)
    if (B != L.ExitingBlock)
      Work.push_back(B->getTerminator());
  DenseSet<const Value *> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (isa<Constant, BasicBlock, MetadataAsValue>(V) || !Seen.insert(V).second)
      continue;
    if (auto *It = Variables.find(V); It != Variables.end()) {
      append_range(Work, It->second.Writers);
      if (const Value *Bytes = bytesOfBlock(*V))
        Work.push_back(Bytes);
      continue;
    }
    if (!isInside(V) && !(isa<Instruction>(V) && scratchBehind(V))) {
      Need(V);
      continue;
    }
    auto *I = cast<Instruction>(V);
    Result.Code.insert(I);
    append_range(Work, I->operand_values());
  }
  for (const auto &[A, Content] : Variables)
    if (Seen.contains(A)) {
      Result.Scratch.push_back(A);
      if (Content.Bytes)
        Result.Extents[A] = Content.Bytes;
    }
  return Result;
}

} // namespace adze
