// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AugmentedEmitter.h"
#include "adze/TapeMemory.h"
#include "adze/Teams.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

AugmentedEmitter::AugmentedEmitter(const Facts &F, const Plan &P, Function &Out,
                                   IRBuilder<> &B, const Lanes &L, Tape &T)
    : ForwardSweepEmitter(F, P, Out, B, L), T(T),
      Writer(P, T, B, /*Rerun=*/nullptr,
             [this](const Value *V) { return primal(V); }) {
  findKeptAlternatives();
}

void AugmentedEmitter::findKeptAlternatives() {
  SmallVector<const Instruction *, 8> Work;
  for (const Instruction *I : F.P->Elsewhere.code()) {
    const Decision *D = P.find(I, Part::Primal);
    if (D && D->From == Source::Cache)
      Work.push_back(I);
  }
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!Alternatives.insert(I).second)
      continue;
    for (const Value *Op : I->operand_values())
      if (auto *Other = dyn_cast<Instruction>(Op))
        Work.push_back(Other);
  }
}

void AugmentedEmitter::enterBlock(const BasicBlock &Block) {
  Writer.enterBlock(Block);
}

void AugmentedEmitter::leaveBlock(const BasicBlock &Block) {
  Writer.leaveBlock(Block);
}

void AugmentedEmitter::beforeInstruction(const Instruction &I) {
  for (const Instruction *Other : F.P->Elsewhere.before(&I)) {
    if (!Alternatives.contains(Other))
      continue;
    B.SetCurrentDebugLocation(Other->getDebugLoc());
    if (F.P->snapshotAt(Other))
      setPrimal(Other, snapshot(cast<CallBase>(*Other)));
    else
      clonePrimal(Other);
    Writer.keep(*Other, Part::Primal, primal(Other));
  }
}

/// The copy, or, if what is kept is not read from it, the array itself.
Value *AugmentedEmitter::snapshot(const CallBase &Call) {
  auto operand = [&](unsigned Index) {
    return primal(F.P->Elsewhere.meaningOf(Call.getArgOperand(Index)));
  };
  Value *Array = operand(0);
  const Decision *D = P.find(&Call, Part::Primal);
  if (!D || D->From != Source::Cache)
    return Array;
  Value *Bytes = operand(1);
  Value *Copy = B.CreateCall(tapeAllocFunction(module()), {Bytes});
  const Snapshot &S = *F.P->snapshotAt(&Call);
  CallInst *Made =
      B.CreateMemCpy(Copy, Align(TapeAlign), Array, S.Aligned, Bytes);
  if (S.By != Snapshot::Team::None)
    teams::markCopy(*Made, S.By == Snapshot::Team::CopiesFirst);
  return Copy;
}

void AugmentedEmitter::afterInstruction(const Instruction &I) {
  if (I.getType()->isVoidTy())
    return;
  Writer.keep(I, Part::Primal, primal(&I));
  if (carries(&I))
    Writer.keep(I, Part::Shadow, dual(&I));
}

Value *AugmentedEmitter::tapeOf(const CallBase *Call) {
  const Decision *D = P.find(Call, Part::Tape);
  if (!D)
    return Constant::getNullValue(B.getPtrTy());
  // (On AMDGPU addresses of variables are of a type of their own.)
  Value *Place = B.CreateAddrSpaceCast(Writer.address(D->Slot), B.getPtrTy());
  const CallPlan *Plan = callPlan(*Call);
  if (!Plan->TapeByPointer)
    return Place;
  uint64_t Bytes = dataLayout().getTypeAllocSize(Plan->Callee->TapeType);
  Value *Block = B.CreateCall(tapeAllocFunction(module()), {B.getInt64(Bytes)});
  B.CreateStore(Block, Place);
  return Block;
}

Value *AugmentedEmitter::storageOf(const AllocaInst *A, bool Shadow) {
  const Decision *D = P.find(A, Shadow ? Part::Shadow : Part::Primal);
  if (D && D->Slot != NoSlot)
    return T.storage(B, D->Slot, L);
  if (!Shadow)
    return copyAlloca(*A, Out, A->getName());
  return L.make(B, A->getType(),
                [&] { return copyAlloca(*A, Out, A->getName() + ".shadow"); });
}

} // namespace adze
