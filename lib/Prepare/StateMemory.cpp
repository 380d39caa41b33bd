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

/// The same of a number of bytes or states, as i64.
Value *StateMemory::integerAtEntry(Value *V) {
  Value *Entry = V->getType()->isIntegerTy() ? atEntry(V) : nullptr;
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  return Entry ? B.CreateSExtOrTrunc(Entry, B.getInt64Ty()) : nullptr;
}

/// How many states there are, and where.
bool StateMemory::takeNumbers(CallBase &Marker) {
  auto badly = [&](StringRef Why) {
    Refuse.loop(Marker, Why);
    return false;
  };
  const checkpoints::MarkerForm Form = checkpoints::formOf(Marker);
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  OnDisk = B.getInt64(0);
  if (Marker.arg_size() >= Form.NumbersEnd) {
    States = integerAtEntry(Marker.getArgOperand(0));
    if (Form.GivesDisk)
      OnDisk = integerAtEntry(Marker.getArgOperand(1));
  }
  if (!States || !OnDisk)
    return badly("the number of states is not known where the loop begins");
  B.SetInsertPoint(L.getLoopPreheader()->getTerminator());
  for (const Value *Number : {States, OnDisk})
    if (auto *C = dyn_cast<ConstantInt>(Number); C && C->isNegative())
      return badly("the number of states is negative");
  auto *C = dyn_cast<ConstantInt>(States);
  if (C && C->isZero() &&
      (Form.GivesMemory || !Options::get().CheckpointMemory))
    return badly("it gives no number of states, and -adze-checkpoint-memory "
                 "gives no bytes for them");
  auto atLeast = [&](Value *V, uint64_t Least) -> Value * {
    return isa<ConstantInt>(V)
               ? V
               : B.CreateBinaryIntrinsic(Intrinsic::smax, V, B.getInt64(Least));
  };
  States = atLeast(States, Form.GivesMemory ? 1 : 0);
  OnDisk = atLeast(OnDisk, 0);
  if (Form.GivesMemory)
    States = B.CreateNeg(States);
  return true;
}

/// adze_checkpoint(states, pointer, bytes, ...)
bool StateMemory::takeNames(CallBase &Marker) {
  auto badly = [&](StringRef Why) {
    Refuse.loop(Marker, Why);
    return false;
  };
  const unsigned First = checkpoints::formOf(Marker).NumbersEnd;
  if (Marker.arg_size() < First || (Marker.arg_size() - First) % 2)
    return badly("its arguments are not the number of states, then pointers, "
                 "each followed by a number of bytes");
  if (!takeNumbers(Marker))
    return false;
  for (unsigned K = First; K < Marker.arg_size(); K += 2) {
    Value *Pointer = Marker.getArgOperand(K);
    Value *Bytes = Marker.getArgOperand(K + 1);
    if (!Pointer->getType()->isPointerTy() || !Bytes->getType()->isIntegerTy())
      return badly("its arguments are not the number of states, then pointers, "
                   "each followed by a number of bytes");
    Region R = {atEntry(Pointer), integerAtEntry(Bytes)};
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
  if (!Object) // in another function
    return false;
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

/// A variable that nothing but the loop uses begins as zero: what its pointers
/// lead to is looked at when states are saved (Runtime/Checkpoints.c).
void StateMemory::clear(AllocaInst &Variable, Value *Bytes) {
  SmallVector<Instruction *, 2> Lifetimes;
  SmallVector<Instruction *, 4> Addresses = {&Variable};
  while (!Addresses.empty())
    for (User *U : Addresses.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (I->isLifetimeStartOrEnd())
        Lifetimes.push_back(I);
      else if (!L.contains(I) && isa<GetElementPtrInst>(I))
        Addresses.push_back(I);
      else if (!L.contains(I))
        return;
    }
  for (Instruction *I : Lifetimes)
    I->eraseFromParent();
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.CreateMemSet(&Variable, B.getInt8(0), Bytes, Variable.getAlign());
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
    return false;
  ObjectSizeOffsetEvaluator Evaluator(
      DL, &FAM.getResult<TargetLibraryAnalysis>(F), F.getContext());
  SizeOffsetValue Extent = Evaluator.compute(Pointer);
  if (!Extent.bothKnown())
    return false;
  Value *Bytes = B.CreateZExtOrTrunc(Extent.Size, B.getInt64Ty());
  auto *Offset = dyn_cast<ConstantInt>(Extent.Offset);
  if (!Offset || !Offset->isZero())
    Pointer = B.CreateGEP(B.getInt8Ty(), Pointer, B.CreateNeg(Extent.Offset));
  if (auto *Variable = dyn_cast<AllocaInst>(Pointer);
      Variable && Effects.MovesPointers)
    clear(*Variable, Bytes);
  Regions.push_back({Pointer, Bytes});
  Whole.insert(Object);
  return true;
}

/// A step cannot say itself what it writes to \p Object, nor can the shadows of
/// pointers be found that it stores there. What is not known here (null, calls)
/// is looked at when it runs.
bool StateMemory::mustBeNamed(const Value *Object) const {
  return Object && !isa<CallBase>(Object) && !isNamed(Object) &&
         (Effects.Uncounted.contains(Object) ||
          Effects.GetPointers.contains(Object));
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
  auto expectNamed = [&](const Value *Object) {
    if (!mustBeNamed(Object))
      return;
    Refuse.memory(Marker, describe(Object));
    Fine = false;
  };
  for (const Value *Object : Effects.Written)
    if (!addObject(Object))
      expectNamed(Object);
  for (const Value *Pointer : Effects.WrittenThrough)
    expectNamed(Pointer);
  append_range(Regions, OfNames);
  return Fine;
}

bool StateMemory::isInside(const Value *Pointer) const {
  return all_of(objectsOf(Pointer),
                [&](const Value *Object) { return Whole.contains(Object); });
}

/// The same, or to memory that belongs to the iteration.
bool StateMemory::leadsInside(const Value *Pointer) const {
  return all_of(objectsOf(Pointer), [&](const Value *Object) {
    auto *I = dyn_cast<Instruction>(Object);
    auto *Call = dyn_cast<CallBase>(Object);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    auto *Global = dyn_cast<GlobalVariable>(Object);
    return Whole.contains(Object) ||
           isa<ConstantPointerNull, UndefValue>(Object) ||
           (Global && Global->isConstant()) ||
           (I && L.contains(I) &&
            (isa<AllocaInst>(I) || (Known && Known->returnsNewBlock())));
  });
}

/// What a loop around this one has marked is inside of its states.
void StateMemory::markInside() {
  LLVMContext &C = L.getHeader()->getContext();
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      const Value *Address = getLoadStorePointerOperand(&I);
      I.setMetadata(checkpoints::InsideName, Address && leadsInside(Address)
                                                 ? MDNode::get(C, {})
                                                 : nullptr);
      auto *Call = dyn_cast<CallBase>(&I);
      for (unsigned K = 0; Call && K < Call->arg_size(); ++K) {
        Call->removeParamAttr(K, checkpoints::InsideName);
        if (Value *Arg = Call->getArgOperand(K);
            Arg->getType()->isPointerTy() && leadsInside(Arg))
          Call->addParamAttr(K, Attribute::get(C, checkpoints::InsideName));
      }
    }
}

bool StateMemory::tracks() const {
  return Effects.KeepsBlocks || !Effects.WrittenThrough.empty() ||
         any_of(Effects.Written,
                [&](const Value *Object) { return !Whole.contains(Object); });
}

using checkpoints::Layout;

/// How \p Object, that is read, or null, is read. What is named is taken to be
/// named as far as library functions read it.
Layout::Reading StateMemory::reading(const Value *Object) const {
  return Effects.UncountedReads.contains(Object) && !isNamed(Object)
             ? Layout::Uncounted
             : Layout::Counted;
}

static Layout::Reading joined(Layout::Reading A, Layout::Reading B) {
  for (Layout::Reading Most : {Layout::Uncounted, Layout::Counted})
    if (A == Most || B == Most)
      return Most;
  return Layout::Nothing;
}

Layout::Reading StateMemory::readsBeside(const Value *Pointer) const {
  Layout::Reading All = Layout::Nothing;
  for (const Value *Object : objectsOf(Pointer)) {
    if (Whole.contains(Object))
      continue;
    if (Effects.Read.contains(Object))
      All = joined(All, reading(Object));
    if (Effects.ReadsUnknown)
      All = joined(All, reading(nullptr));
  }
  return All;
}

Layout::Reading StateMemory::readsElsewhere(bool CarriesPointers) const {
  Layout::Reading All = Layout::Nothing;
  if (Effects.ReadsUnknown)
    All = reading(nullptr);
  for (const Value *Object : Effects.Read)
    if (!Whole.contains(Object) &&
        (CarriesPointers || isa<GlobalVariable>(Object)))
      All = joined(All, reading(Object));
  return All;
}

} // namespace adze
