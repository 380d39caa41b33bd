// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedFills.h"
#include "BlockVariables.h"
#include "SteadyValues.h"
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"
#include "adze/Rule.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// To alias analysis: none.
constexpr unsigned NoQuestions = 0;

class FillSearch {
public:
  FillSearch(const Facts &F, const LoopRecord &L,
             ArrayRef<const BasicBlock *> Blocks)
      : F(F), P(*F.P), L(*L.L), Last(L.ExitingBlock), Blocks(Blocks),
        M(loopMemoryOf(P, NoQuestions)) {}

  SharedFills run();

private:
  bool findBarriers();
  bool knowsCalls() const;
  SmallSetVector<const GlobalVariable *, 4> writtenVariables() const;
  std::optional<SharedFill> fillOf(const GlobalVariable &G);
  bool addAccess(const Instruction &I, SharedFill &Fill);
  bool addStore(const StoreInst &Store, SharedFill &Fill);
  bool isReadAsItIsLeft(const LoadInst &Load) const;
  bool isFilledBefore(const Instruction &Load) const;
  size_t barriersBefore(const Instruction &I) const;
  bool meetsFirst() const;

  const Facts &F;
  const Primal &P;
  const Loop &L;
  const BasicBlock *Last;
  ArrayRef<const BasicBlock *> Blocks;
  LoopMemory &M;
  std::unique_ptr<SteadyValues> Steady;
  SmallVector<const Instruction *, 4> Barriers; // in the order of an iteration
  SmallVector<const Instruction *, 8> Stores, Loads; // of one variable
};

/// Each iteration of the loop comes to all barriers in it.
bool FillSearch::findBarriers() {
  for (const BasicBlock *B : Blocks)
    for (const Instruction &I : *B) {
      if (meetingOf(I) != Meeting::Block)
        continue;
      if (!isBarrierOfAll(I) || P.LI->getLoopFor(B) != &L ||
          !P.DT->dominates(B, Last))
        return false;
      Barriers.push_back(&I);
    }
  return !Barriers.empty();
}

/// Nothing is called that might access memory of the block.
bool FillSearch::knowsCalls() const {
  return all_of(instructions(*P.F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return !Call || isa<IntrinsicInst>(Call) || lookupKnown(*Call);
  });
}

SmallSetVector<const GlobalVariable *, 4> FillSearch::writtenVariables() const {
  SmallSetVector<const GlobalVariable *, 4> Result;
  for (const BasicBlock *B : Blocks)
    for (const Instruction &I : *B)
      if (auto *Store = dyn_cast<StoreInst>(&I))
        if (auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(
                Store->getPointerOperand(), /*MaxLookup=*/0));
            G && isSharedVariable(*G))
          Result.insert(G);
  return Result;
}

size_t FillSearch::barriersBefore(const Instruction &I) const {
  return size_t(count_if(Barriers, [&](const Instruction *Barrier) {
    return P.DT->dominates(Barrier, &I);
  }));
}

/// The reverse of an iteration executes nothing that reads before it comes to
/// the last barrier.
bool FillSearch::meetsFirst() const {
  const Instruction *Barrier = Barriers.back();
  return all_of(Blocks, [&](const BasicBlock *B) {
    if (B != Barrier->getParent() && !P.DT->dominates(Barrier->getParent(), B))
      return true;
    if (B != Last && B->getTerminator()->getNumSuccessors() > 1)
      return false;
    return all_of(*B, [&](const Instruction &I) {
      return !P.DT->dominates(Barrier, &I) || isa<FenceInst>(I) ||
             (!F.Activity->isActiveInstruction(&I) && !F.isActive(&I) &&
              !needsRuleIfInactive(I));
    });
  });
}

bool FillSearch::addStore(const StoreInst &Store, SharedFill &Fill) {
  Stores.push_back(&Store);
  if (!L.contains(&Store)) // the loop would have to put it back
    return !M.Reach.after(Last->getTerminator(), &Store);
  if (!P.canReturn(Store.getParent()) || !Steady->writesAlike(Store))
    return false;
  Fill.Stores.push_back(&Store);
  return true;
}

/// False if \p I may write to the memory in another way than those that fill
/// it.
bool FillSearch::addAccess(const Instruction &I, SharedFill &Fill) {
  bool May = false, Must = true;
  for (const Value *Operand : I.operand_values()) {
    if (!Operand->getType()->isPointerTy())
      continue;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Operand, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    May |= is_contained(Objects, Fill.Memory);
    Must &= Objects.size() == 1;
  }
  if (!May)
    return true;
  if (!Must)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Loads.push_back(Load);
    return true;
  }
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple() && addStore(*Store, Fill);
}

/// \p Load does not read what stood there when the function was called.
bool FillSearch::isFilledBefore(const Instruction &Load) const {
  return any_of(Stores,
                [&](const Instruction *Store) {
                  return P.DT->dominates(Store, &Load);
                }) ||
         (!L.contains(&Load) &&
          P.DT->dominates(L.getHeader(), Load.getParent()));
}

std::optional<SharedFill> FillSearch::fillOf(const GlobalVariable &G) {
  SharedFill Fill;
  Fill.Memory = &G;
  Stores.clear();
  Loads.clear();
  for (const Instruction &I : instructions(*P.F))
    if (I.mayReadOrWriteMemory() && !addAccess(I, Fill))
      return std::nullopt;
  if (Fill.Stores.empty())
    return std::nullopt;
  const size_t Written = barriersBefore(*Fill.Stores.front());
  if (any_of(Fill.Stores, [&](const StoreInst *Store) {
        return barriersBefore(*Store) != Written;
      }))
    return std::nullopt;
  for (const Instruction *I : Loads) {
    auto *Load = cast<LoadInst>(I);
    if (L.contains(Load) && barriersBefore(*Load) > Written) {
      if (Load->isSimple() && P.canReturn(Load->getParent()))
        Fill.Readers.push_back(Load);
    } else if (!isFilledBefore(*Load)) {
      return std::nullopt;
    }
  }
  if (Fill.Readers.empty() || !isReachedByName(G) || !isOfFunctionAlone(G, P))
    return std::nullopt;
  return Fill;
}

SharedFills FillSearch::run() {
  SharedFills Result;
  const auto Written = writtenVariables();
  if (Written.empty() || !findBarriers() || !knowsCalls())
    return Result;
  Steady = std::make_unique<SteadyValues>(P, L, M);
  for (const GlobalVariable *G : Written)
    if (std::optional<SharedFill> Fill = fillOf(*G))
      Result.Of.push_back(std::move(*Fill));
  Result.MeetsFirst = !Result.Of.empty() && meetsFirst();
  return Result;
}

} // namespace

SharedFills findSharedFills(const Facts &F, const LoopRecord &L,
                            ArrayRef<const BasicBlock *> Blocks) {
  // Between the halves of split mode others have the block's memory.
  if (!isDevice(*F.P->F->getParent()) || F.R.Kind.isForward() ||
      F.R.Kind.isSplit() || !L.ExitingBlock ||
      L.ExitingBlock != L.L->getLoopLatch())
    return {};
  return FillSearch(F, L, Blocks).run();
}

} // namespace adze
