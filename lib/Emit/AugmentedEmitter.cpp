// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AugmentedEmitter.h"
#include "adze/TapeMemory.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

AugmentedEmitter::AugmentedEmitter(const Facts &F, const Plan &P, Function &Out,
                                   IRBuilder<> &B, const Lanes &L, Tape &T)
    : ForwardSweepEmitter(F, P, Out, B, L), T(T) {
  DenseSet<unsigned> Seen;
  for (unsigned I = 0; I < P.Slots.size(); ++I) {
    const Slot &S = P.Slots[I];
    if (S.Base == NoSlot || !Seen.insert(S.Base).second)
      continue;
    const Loop *Outermost = S.Outermost->L;
    Made[Outermost->getLoopPreheader()].push_back(I);
    if (S.Size == Sizing::Growing)
      Grown[Outermost->getHeader()].push_back(I);
  }
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

Value *AugmentedEmitter::counter(IRBuilder<> &, const LoopRecord *L) {
  return primal(L->Counter);
}

Value *AugmentedEmitter::extent(IRBuilder<> &B, const LoopRecord *L) {
  return B.CreateAdd(primal(lastIterationOf(L)), B.getInt64(1));
}

Value *AugmentedEmitter::base(IRBuilder<> &, unsigned Index) {
  return Bases.lookup(Index);
}

Value *AugmentedEmitter::address(unsigned Index) {
  return slotAddress(B, P, Index, T, *this);
}

/// The bytes of a whole array. Where they are more than 64 bits hold, the
/// largest number: there is no such memory, and the allocation says so.
Value *AugmentedEmitter::bytesOf(const Slot &S) {
  Value *Bytes =
      B.getInt64(S.Record ? S.Record : elementBytes(S, dataLayout()));
  Value *Over = B.getFalse();
  for (const LoopRecord *L : S.Dims) {
    // A count evaluated before loops that are not entered may be negative.
    Value *Count =
        B.CreateBinaryIntrinsic(Intrinsic::smax, extent(B, L), B.getInt64(0));
    Value *Product =
        B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Bytes, Count);
    Bytes = B.CreateExtractValue(Product, 0);
    Over = B.CreateAnd(B.CreateOr(Over, B.CreateExtractValue(Product, 1)),
                       B.CreateICmpNE(Count, B.getInt64(0)));
  }
  return B.CreateSelect(Over, B.getInt64(-1), Bytes);
}

void AugmentedEmitter::setBase(const Slot &S, Value *Block) {
  B.CreateStore(Block, address(S.Base));
  Bases[S.Base] = Block;
}

/// An array that grows begins with nothing.
void AugmentedEmitter::allocate(const Slot &S) {
  setBase(S, S.Size == Sizing::OnEntry
                 ? B.CreateCall(tapeAllocFunction(module()), {bytesOf(S)})
                 : static_cast<Value *>(Constant::getNullValue(B.getPtrTy())));
}

void AugmentedEmitter::grow(const Slot &S) {
  Value *Place = address(S.Base);
  Value *Old = B.CreateLoad(B.getPtrTy(), Place);
  Value *New =
      B.CreateCall(growFunction(module()),
                   {Old, counter(B, S.Dims.front()), B.getInt64(S.Record)});
  setBase(S, New);
}

void AugmentedEmitter::enterBlock(const BasicBlock &Block) {
  if (auto It = Grown.find(&Block); It != Grown.end())
    for (unsigned Index : It->second)
      grow(P.Slots[Index]);
}

void AugmentedEmitter::leaveBlock(const BasicBlock &Block) {
  // A base slot of one nest is made before the slots that it leads to use it:
  // they belong to inner loops.
  if (auto It = Made.find(&Block); It != Made.end())
    for (unsigned Index : It->second)
      allocate(P.Slots[Index]);
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
    keep(*Other, Part::Primal, primal(Other));
  }
}

/// The copy, or, if what is kept is not read from it, the array itself.
Value *AugmentedEmitter::snapshot(const CallBase &Call) {
  auto operand = [&](unsigned Index) {
    return primal(F.P->Elsewhere.meaningOf(Call.getArgOperand(Index)));
  };
  Value *Array = operand(0);
  if (!P.find(&Call, Part::Primal))
    return Array;
  Value *Bytes = operand(1);
  Value *Copy = B.CreateCall(tapeAllocFunction(module()), {Bytes});
  Align Aligned = F.P->snapshotAt(&Call)->Aligned;
  B.CreateMemCpy(Copy, Align(TapeAlign), Array, Aligned, Bytes);
  return Copy;
}

void AugmentedEmitter::keep(const Instruction &I, Part Which, Value *V) {
  const Decision *D = P.find(&I, Which);
  if (D && D->From == Source::Cache)
    storeElement(B, P.Slots[D->Slot], V, address(D->Slot));
}

void AugmentedEmitter::afterInstruction(const Instruction &I) {
  if (I.getType()->isVoidTy())
    return;
  keep(I, Part::Primal, primal(&I));
  if (carries(&I))
    keep(I, Part::Shadow, dual(&I));
}

Value *AugmentedEmitter::tapeOf(const CallBase *Call) {
  const Decision *D = P.find(Call, Part::Tape);
  if (!D)
    return Constant::getNullValue(B.getPtrTy());
  Value *Place = address(D->Slot);
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
    return T.field(B, D->Slot);
  return copyAlloca(*A, Out, A->getName() + (Shadow ? ".shadow" : ""));
}

} // namespace adze
