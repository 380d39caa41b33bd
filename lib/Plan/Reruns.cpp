// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reruns.h"
#include "Loops/Coverage.h"
#include "Loops/LoopMemory.h"
#include "Recompute.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// To alias analysis, about one loop.
static constexpr unsigned MaxQuestions = 1000;

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
  findScratch();
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
  return !isInside(V) || (F.P->canReturn(cast<Instruction>(V)->getParent()) &&
                          !Refused.contains(cast<Instruction>(V)));
}

const AllocaInst *RerunAnalysis::scratchBehind(const Value *Pointer) const {
  auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  return A && Variables.count(A) ? A : nullptr;
}

namespace {

/// The accesses to a variable of which every use is known.
struct Accesses {
  SmallVector<const Instruction *, 8> Readers, Writers;
};

/// None if there are other uses than loads, stores and block operations.
std::optional<Accesses> accessesTo(const AllocaInst &A) {
  Accesses Result;
  SmallVector<const Value *, 8> Pointers(1, &A);
  while (!Pointers.empty()) {
    const Value *Pointer = Pointers.pop_back_val();
    for (const Use &U : Pointer->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I)) {
        Pointers.push_back(I);
        continue;
      }
      auto *Load = dyn_cast<LoadInst>(I);
      auto *Store = dyn_cast<StoreInst>(I);
      auto *Block = dyn_cast<MemIntrinsic>(I);
      if (Load && Load->isSimple())
        Result.Readers.push_back(I);
      else if (Store && Store->isSimple() &&
               U.getOperandNo() == StoreInst::getPointerOperandIndex())
        Result.Writers.push_back(I);
      else if (Block && !Block->isVolatile() && U.getOperandNo() < 2)
        (U.getOperandNo() == 0 ? Result.Writers : Result.Readers).push_back(I);
      else
        return std::nullopt;
    }
  }
  return Result;
}

} // namespace

/// The content of \p A is undefined where its scope begins, in each iteration
/// of \p L before it is accessed.
static bool beginsInside(const AllocaInst &A, const Accesses &All,
                         const Loop &L, const Primal &P) {
  auto It = P.ScopeBegins.find(&A);
  auto isAfterBegin = [&](const Instruction *I) {
    return !L.contains(I) || any_of(It->second, [&](const BasicBlock *B) {
      return L.contains(B) && P.DT->dominates(B, I->getParent());
    });
  };
  return It != P.ScopeBegins.end() && all_of(All.Readers, isAfterBegin) &&
         all_of(All.Writers, isAfterBegin);
}

/// Variables of which the iteration reads what it has written itself.
void RerunAnalysis::findScratch() {
  const Primal &P = *F.P;
  auto isHere = [&](const Instruction *I) { return L.L->contains(I); };
  for (const Instruction &I : P.F->getEntryBlock()) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A || !A->isStaticAlloca())
      continue;
    std::optional<Accesses> All = accessesTo(*A);
    if (!All || none_of(All->Writers, isHere) ||
        !(beginsInside(*A, *All, *L.L, P) ||
          isWrittenBeforeRead(*A, *L.L, All->Readers, All->Writers, P,
                              loopMemoryOf(P, MaxQuestions))))
      continue;
    Scratch &S = Variables[A];
    for (const Instruction *W : All->Writers)
      if (isHere(W) && P.canReturn(W->getParent()))
        S.Writers.push_back(W);
  }
}

/// What \p Pointer leads to is there: the iteration that runs again has written
/// it to its scratch variable, or it is memory that survives, as \p Survives
/// says.
bool RerunAnalysis::isReadAgain(const Value *Pointer, bool Survives) const {
  const AllocaInst *A = scratchBehind(Pointer);
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
    if (auto *A = dyn_cast<AllocaInst>(V); A && Variables.count(A)) {
      append_range(Work, Variables.find(A)->second.Writers);
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
    if (Seen.contains(A))
      Result.Scratch.push_back(A);
  return Result;
}

} // namespace adze
