// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/StateMemory.h"

#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

void Refusal::loop(const Instruction &At, StringRef Why) const {
  Diags.report(Diag::CheckpointLoop, From, &At, {Why.str()});
}

void Refusal::memory(const Instruction &At, const std::string &Pointer) const {
  Diags.report(Diag::CheckpointMemory, From, &At, {Pointer});
}

void Refusal::again(const Instruction &At, StringRef Why) const {
  Diags.report(Diag::CheckpointAgain, From, &At, {Why.str()});
}

static SmallVector<const Value *, 4> objectsOf(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Objects;
}

/// \p I gives the same, and does no harm, where the loop is entered. The first
/// iteration has begun there.
bool StateMemory::mayMove(const Instruction &I) {
  if (I.isTerminator() || isa<PHINode, AllocaInst>(I))
    return false;
  if (!isa<LoadInst, CallBase>(I))
    return isSafeToSpeculativelyExecute(&I);
  if (I.isVolatile() || I.isAtomic() || I.getParent() != L.getHeader() ||
      Steps.writes(I))
    return false;
  for (const Instruction &Before : *L.getHeader()) {
    if (&Before == &I)
      return true;
    if (Steps.writes(Before))
      return false;
  }
  return false;
}

/// What \p V is in the first iteration, computed in front of the loop; null if
/// that cannot be.
Value *StateMemory::atEntry(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (auto *Phi = dyn_cast<PHINode>(I);
      Phi && Phi->getParent() == L.getHeader())
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  if (!mayMove(*I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Op : I->operands()) {
    Operands.push_back(atEntry(Op));
    if (!Operands.back())
      return nullptr;
  }
  Instruction *Copy = I->clone();
  for (unsigned K = 0; K < Operands.size(); ++K)
    Copy->setOperand(K, Operands[K]);
  Copy->insertBefore(L.getLoopPreheader()->getTerminator());
  return Copy;
}

/// adze_checkpoint(states, pointer, bytes, ...)
bool StateMemory::takeNames(CallBase &Marker) {
  auto badly = [&](StringRef Why) {
    Refuse.loop(Marker, Why);
    return false;
  };
  if (Marker.arg_size() % 2 != 1 ||
      !Marker.getArgOperand(0)->getType()->isIntegerTy())
    return badly("its arguments are not the number of states, then pointers, "
                 "each followed by a number of bytes");
  auto size = [&](Value *V, IRBuilder<> &B) -> Value * {
    Value *Entry = atEntry(V);
    return Entry ? B.CreateSExtOrTrunc(Entry, B.getInt64Ty()) : nullptr;
  };
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  States = size(Marker.getArgOperand(0), B);
  if (!States)
    return badly("the number of states is not known where the loop begins");
  if (auto *C = dyn_cast<ConstantInt>(States); C && C->isNegative())
    return badly("the number of states is negative");
  if (auto *C = dyn_cast<ConstantInt>(States);
      C && C->isZero() && !Options::get().CheckpointMemory)
    return badly("it gives no number of states, and -adze-checkpoint-memory "
                 "gives no bytes for them");
  for (unsigned K = 1; K < Marker.arg_size(); K += 2) {
    Value *Pointer = Marker.getArgOperand(K);
    Value *Bytes = Marker.getArgOperand(K + 1);
    if (!Pointer->getType()->isPointerTy() || !Bytes->getType()->isIntegerTy())
      return badly("its arguments are not the number of states, then pointers, "
                   "each followed by a number of bytes");
    Region R = {atEntry(Pointer), size(Bytes, B)};
    if (!R.Base || !R.Bytes)
      return badly("the memory that is named is not known where the loop "
                   "begins");
    Regions.push_back(R);
    Named.insert(Pointer);
    for (const Value *Object : objectsOf(R.Base))
      Named.insert(Object);
  }
  return true;
}

bool StateMemory::isNamed(const Value *Object) const {
  // In other functions nobody can tell; the program has been asked.
  if (!Object || isa<CallBase>(Object))
    return !Named.empty();
  if (Named.contains(Object))
    return true;
  // What stands in the same place of memory.
  auto *Load = dyn_cast<LoadInst>(Object);
  return Load && any_of(Named, [&](const Value *Other) {
           auto *Same = dyn_cast<LoadInst>(Other);
           if (!Same)
             return false;
           APInt Here(64, 0), There(64, 0);
           const DataLayout &DL = Load->getModule()->getDataLayout();
           auto base = [&](const LoadInst *I, APInt &Offset) {
             return I->getPointerOperand()->stripAndAccumulateConstantOffsets(
                 DL, Offset, /*AllowNonInbounds=*/true);
           };
           return base(Load, Here) == base(Same, There) && Here == There;
         });
}

/// A pointer to \p Block, the result of an allocation, that can be used where
/// the loop begins, and leads there whenever the block has been allocated; null
/// if there is none. It may be null at run time: std::vector allocates nothing
/// for no elements.
Value *StateMemory::pointerTo(const Instruction &Block) const {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*L.getHeader()->getParent());
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  SmallSetVector<const Instruction *, 8> Same;
  Same.insert(&Block);
  for (unsigned K = 0; K < Same.size(); ++K) {
    const Instruction *Pointer = Same[K];
    if (DT.dominates(Pointer, At))
      return const_cast<Instruction *>(Pointer);
    for (const User *U : Pointer->users()) {
      auto *Phi = dyn_cast<PHINode>(U);
      if (!Phi || L.contains(Phi))
        continue;
      SmallPtrSet<BasicBlock *, 1> Beyond = {
          const_cast<BasicBlock *>(Phi->getParent())};
      if (none_of(Phi->blocks(), [&](const BasicBlock *From) {
            return Phi->getIncomingValueForBlock(From) != Pointer &&
                   isPotentiallyReachable(Block.getParent(), From, &Beyond,
                                          &DT);
          }))
        Same.insert(Phi);
    }
  }
  return nullptr;
}

/// All of \p Object. False if its size is not known.
bool StateMemory::addObject(const Value *Object) {
  Function &F = *L.getHeader()->getParent();
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  auto *Global = dyn_cast<GlobalVariable>(Object);
  auto *Block = dyn_cast<Instruction>(Object);
  Value *Pointer = Global  ? const_cast<GlobalVariable *>(Global)
                   : Block ? pointerTo(*Block)
                           : nullptr;
  if (!Pointer || (Global && Global->isDeclaration()))
    return isNamed(Object);
  ObjectSizeOffsetEvaluator Evaluator(
      DL, &FAM.getResult<TargetLibraryAnalysis>(F), F.getContext());
  SizeOffsetValue Extent = Evaluator.compute(Pointer);
  if (!Extent.bothKnown())
    return isNamed(Object);
  Value *Bytes = B.CreateZExtOrTrunc(Extent.Size, B.getInt64Ty());
  auto *Offset = dyn_cast<ConstantInt>(Extent.Offset);
  if (!Offset || !Offset->isZero())
    Pointer = B.CreateGEP(B.getInt8Ty(), Pointer, B.CreateNeg(Extent.Offset));
  Regions.push_back({Pointer, Bytes});
  Whole.insert(Object);
  return true;
}

bool StateMemory::find(CallBase &Marker) {
  if (!takeNames(Marker))
    return false;
  Effects = Steps.of(L);
  if (Effects.Once) {
    Refuse.again(*Effects.Once, Effects.Why);
    return false;
  }
  bool Fine = true;
  SmallVector<Region, 4> OfNames = std::move(Regions);
  Regions.clear();
  for (const Value *Object : Effects.Written)
    if (!addObject(Object)) {
      Refuse.memory(Marker, describe(Object));
      Fine = false;
    }
  for (const Value *Pointer : Effects.WrittenThrough)
    if (!isNamed(Pointer)) {
      Refuse.memory(Pointer ? static_cast<const Instruction &>(Marker)
                            : *Effects.WritesUnknown,
                    Pointer ? describe(Pointer) : "a pointer in memory");
      Fine = false;
    }
  append_range(Regions, OfNames);
  return Fine;
}

bool StateMemory::readsBeside(const Value *Pointer) const {
  return any_of(objectsOf(Pointer), [&](const Value *Object) {
    return !Whole.contains(Object) && !Named.contains(Object) &&
           (Effects.Read.contains(Object) || Effects.ReadsUnknown);
  });
}

bool StateMemory::readsElsewhere(bool CarriesPointers) const {
  return Effects.ReadsUnknown || any_of(Effects.Read, [&](const Value *Object) {
           return !Whole.contains(Object) && !Named.contains(Object) &&
                  (CarriesPointers || isa<GlobalVariable>(Object));
         });
}

} // namespace adze
