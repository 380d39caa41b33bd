// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reruns.h"
#include "Recompute.h"
#include "adze/Plan.h"
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
  Fills = findSharedFills(F, L, Blocks);
  findWhatReadsFills();
  refuseWhatDiffers();
  erase_if(Fills.Of, [this](const SharedFill &Fill) {
    return any_of(Fill.Stores, [this](const StoreInst *Store) {
      return Refused.contains(Store);
    });
  });
  Possible = all_of(Blocks, [this](const BasicBlock *B) {
    return B == this->L.ExitingBlock || !Refused.contains(B->getTerminator());
  });
}

const SharedFill *RerunAnalysis::fillFor(const Value *Load) const {
  const SharedFill *It = find_if(Fills.Of, [&](const SharedFill &Fill) {
    return is_contained(Fill.Readers, Load);
  });
  return It == Fills.Of.end() ? nullptr : It;
}

bool RerunAnalysis::findsAgain(PlanValue V) const {
  return V.Which == Part::Primal && fillFor(V.V);
}

/// By all that the plan could choose.
void RerunAnalysis::findWhatReadsFills() {
  SmallVector<const Value *, 16> Work;
  for (const SharedFill &Fill : Fills.Of) {
    Filling.insert(Fill.Stores.begin(), Fill.Stores.end());
    append_range(Work, Fill.Readers);
  }
  if (Work.empty())
    return;
  DenseMap<const Value *, SmallVector<const Value *, 4>> Readers;
  auto add = [&](const Instruction &I) {
    const PlanValue V{&I, Part::Primal};
    for (const auto &Made : {recompute(V, F), reload(V, F)})
      if (Made)
        for (PlanValue Read : Made->Reads)
          Readers[Read.V].push_back(&I);
  };
  for (const BasicBlock *B : Blocks)
    for (const Instruction &I : *B) {
      for (const Instruction *Other : F.P->Elsewhere.before(&I))
        add(*Other);
      add(I);
    }
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (ReadsFills.insert(V).second)
      append_range(Work, Readers.lookup(V));
  }
}

/// Computed by the iteration itself.
bool RerunAnalysis::isInside(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && L.L->contains(F.P->blockOf(I)) &&
         !(isa<PHINode>(I) && I->getParent() == L.L->getHeader());
}

/// If \p I cannot run again, the iteration begins with what it was: that is one
/// value for each iteration. A copy may have been made on the way that is
/// taken; other values are computed in all iterations, for they are read at the
/// begin.
bool RerunAnalysis::isInput(const Instruction &I) const {
  const BasicBlock *B = F.P->blockOf(&I);
  Type *Ty = I.getType();
  return F.P->loopOf(B) == &L && !Ty->isVoidTy() && !Ty->isTokenTy() &&
         !ReadsFills.contains(&I) &&
         (F.P->snapshotAt(&I) || F.P->DT->dominates(B, L.ExitingBlock));
}

/// \p V is the same when the iteration runs again.
bool RerunAnalysis::isRepeated(const Value *V) const {
  if (!isInside(V) || Variables.count(V))
    return !ReadsFills.contains(V);
  auto &I = *cast<Instruction>(V);
  return F.P->canReturn(F.P->blockOf(&I)) &&
         (!Refused.contains(&I) || isInput(I));
}

/// What \p U makes of \p Object, where that lies, does not depend on where.
static bool leadsToMemory(const Use &U, const Value *Object) {
  const auto *I = cast<Instruction>(U.getUser());
  if (isa<StoreInst>(I))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (auto *Compare = dyn_cast<ICmpInst>(I))
    return Compare->isEquality() && all_of(I->operands(), [&](const Use &Side) {
             return getUnderlyingObject(Side, /*MaxLookup=*/0) == Object;
           });
  auto *Phi = dyn_cast<PHINode>(I);
  return isa<GetElementPtrInst, LoadInst, MemIntrinsic>(I) ||
         (Phi && Phi->getNumIncomingValues() == 1);
}

/// An alternative leads to the memory itself, not to a scratch variable that
/// the iteration has when it runs again. An address there is another number
/// than it was: to compare it with others, or to store it, is no repetition.
bool RerunAnalysis::areOperandsRepeated(const Instruction &I) const {
  const bool IsAlternative = F.P->Elsewhere.contains(&I);
  return all_of(I.operands(), [&](const Use &U) {
    const Value *Operand = F.P->Elsewhere.meaningOf(U);
    if (!isRepeated(Operand))
      return false;
    const Value *Scratch = scratchBehind(Operand);
    return !Scratch || (!IsAlternative && leadsToMemory(U, Scratch));
  });
}

const Value *RerunAnalysis::scratchBehind(const Value *Pointer) const {
  if (!Pointer->getType()->isPointerTy())
    return nullptr;
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  return Variables.count(Object) ? Object : nullptr;
}

/// What \p Pointer leads to is there: the iteration that runs again has written
/// it to its scratch variable, or it is memory that survives, as \p Survives
/// says.
bool RerunAnalysis::isReadAgain(const Instruction &Reader, const Value *Pointer,
                                bool Survives) const {
  const Value *A = scratchBehind(Pointer);
  if (!A)
    return Survives;
  if (is_contained(Variables.find(A)->second.OfState, &Reader))
    return false;
  return none_of(writersBefore(Reader, Pointer),
                 [this](const Instruction *W) { return Refused.contains(W); });
}

/// What wrote what \p Reader reads by \p Pointer, in the same iteration;
/// nothing if that is not in a scratch variable.
ArrayRef<const Instruction *>
RerunAnalysis::writersBefore(const Instruction &Reader,
                             const Value *Pointer) const {
  const Value *A = scratchBehind(Pointer);
  if (!A)
    return {};
  const ScratchObject &Scratch = Variables.find(A)->second;
  auto It = Sources.find(&Reader);
  if (It != Sources.end())
    return It->second;
  // All of them, if there are too many to ask.
  if (Scratch.Writers.size() > Pairs)
    return Scratch.Writers;
  Pairs -= Scratch.Writers.size();
  return Sources[&Reader] = writersFor(Reader, Scratch, F, L);
}

bool RerunAnalysis::canRunItself(const Instruction &I) const {
  if (!areOperandsRepeated(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() &&
           isReadAgain(I, Load->getPointerOperand(), isLoadThatSurvives(I, F));
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() && (scratchBehind(Store->getPointerOperand()) ||
                                 Filling.contains(Store));
  if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    if (Block->isVolatile() || !scratchBehind(Block->getRawDest()))
      return false;
    auto *Move = dyn_cast<MemTransferInst>(Block);
    return !Move || isReadAgain(I, Move->getRawSource(),
                                !F.Memory->mayBeOverwritten(Move));
  }
  return isa<PHINode>(I) || I.isTerminator() || isPure(I, *F.P);
}

/// What a load that cannot run again itself is the same as; null if nothing.
const Value *RerunAnalysis::insteadOf(const Instruction &I) const {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || F.P->Elsewhere.contains(Load) || canRunItself(I))
    return nullptr;
  const Value *Other = equivalentValue(*Load, F);
  return Other && isRepeated(Other) ? Other : nullptr;
}

bool RerunAnalysis::canRun(const Instruction &I) const {
  return canRunItself(I) || insteadOf(I);
}

/// Whether it is new that \p I cannot run again.
bool RerunAnalysis::refuse(const Instruction &I) {
  return isInside(&I) && !Refused.contains(&I) && !canRun(I) &&
         Refused.insert(&I).second;
}

/// All is taken to run again until it turns out to depend on what cannot.
void RerunAnalysis::refuseWhatDiffers() {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *B : Blocks)
      for (const Instruction &I : *B) {
        for (const Instruction *Other : F.P->Elsewhere.before(&I))
          Changed |= refuse(*Other);
        Changed |= refuse(I);
      }
  }
}

bool RerunAnalysis::canKeep(PlanValue V) const {
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I || V.Which != Part::Primal || F.P->Elsewhere.contains(I) ||
      !isInside(I) || !isRepeated(I) || Refused.contains(I))
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

bool RerunAnalysis::takesPlaceOf(PlanValue V) const {
  if (canKeep(V) ||
      (V.Which == Part::Primal && ReadsFills.contains(V.V) && hasFills()))
    return true;
  const Snapshot *S = V.Which == Part::Primal ? F.P->snapshotAt(V.V) : nullptr;
  return S && S->Reader && isInside(V.V) && canKeep({S->Reader, Part::Primal});
}

Rerun RerunAnalysis::toCompute(ArrayRef<const Value *> Kept,
                               ArrayRef<const Value *> Found,
                               function_ref<void(const Value *)> Need) const {
  Rerun Result;
  Result.L = &L;
  SmallVector<const Value *, 16> Work(Kept.begin(), Kept.end());
  for (const SharedFill &Fill : Fills.Of)
    if (any_of(Found, [&](const Value *Load) {
          return is_contained(Fill.Readers, Load);
        })) {
      Result.Filled.push_back(Fill.Memory);
      append_range(Work, Fill.Stores);
    }
  Result.MeetsFirst = Fills.MeetsFirst;
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
      for (const Value *End : {It->second.All.Begin, It->second.All.Bytes})
        if (End)
          Work.push_back(End);
      continue;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!(isInside(V) || (I && scratchBehind(V))) || Refused.contains(I)) {
      Need(V);
      continue;
    }
    Result.Code.insert(I);
    if (const Value *Other = insteadOf(*I)) {
      Result.Instead[I] = Other;
      Work.push_back(Other);
      continue;
    }
    if (auto *Load = dyn_cast<LoadInst>(I))
      append_range(Work, writersBefore(*I, Load->getPointerOperand()));
    if (auto *Move = dyn_cast<MemTransferInst>(I))
      append_range(Work, writersBefore(*I, Move->getRawSource()));
    for (const Value *Operand : I->operand_values())
      Work.push_back(F.P->Elsewhere.meaningOf(Operand));
  }
  for (const auto &[A, Content] : Variables)
    if (Seen.contains(A)) {
      Result.Scratch.push_back(A);
      if (Content.All.Bytes)
        Result.Extents[A] = Content.All;
    }
  return Result;
}

} // namespace adze
