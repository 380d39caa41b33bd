// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why it is right. Let E be the element, and all sums of the loop that are at
// an address of E known to be the same its own sums.
//
//   * Whatever else the loop accesses is either no byte of E, or a sum of
//     elements of the same type, aligned to their size: its element is E or has
//     no byte in common with E. Nothing else is stored to an element between
//     load and store of a sum. So all that is done with E while the loop runs
//     are additions of numbers that do not depend on E. They may be reordered,
//     for each of them says so: those of the other sums first, in memory, those
//     of its own sums behind the loop.
//   * Nobody else notices: the loop has no call that accesses memory, throws or
//     does not return, and no atomic or volatile access.
//   * Behind the loop E is accessed if the loop has accessed it. A sum that is
//     not -0, with which it begins, or another zero, says that it has; adding a
//     zero of either sign is what may be left out.
#include "RunningSums.h"
#include "Loops/AccessRanges.h"
#include "MemorySums.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace adze {

namespace {

/// Accesses of one loop, and elements that are moved to registers.
constexpr unsigned MaxAccesses = 96, MaxElements = 8;

/// All sums of a loop to one element.
struct Element {
  Value *Address = nullptr; // does not vary in the loop
  SmallVector<MemorySum, 2> Sums;
};

class RunningSums {
public:
  RunningSums(Loop &L, ScalarEvolution &SE, AccessRanges &Ranges,
              BatchAAResults &Alias, DominatorTree &DT)
      : L(L), SE(SE), Ranges(Ranges), Alias(Alias), DT(DT) {}

  /// The elements that can be moved.
  SmallVector<Element, 4> find();
  void apply(const Element &E, LoopInfo &LI, AssumptionCache &AC);

private:
  bool collect();
  bool isAlone(const Element &E);
  bool isAlwaysExecuted(const Element &E) const;
  void addBehind(const Element &E, AllocaInst *Sum, BasicBlock &Exit,
                 bool Always, LoopInfo &LI);

  Loop &L;
  ScalarEvolution &SE;
  AccessRanges &Ranges;
  BatchAAResults &Alias;
  DominatorTree &DT;
  SmallVector<Instruction *, 32> Accesses;
  SmallVector<MemorySum, 8> Sums;
  /// The type of each access that belongs to a sum of which the order is free.
  DenseMap<const Instruction *, Type *> FreeSums;
};

/// What the loop accesses. False if that is not known, or more than plain loads
/// and stores.
bool RunningSums::collect() {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (isa<DbgInfoIntrinsic>(I) || isa<AssumeInst>(I))
        continue;
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Load && !Store) {
        if (I.mayReadOrWriteMemory() || I.mayThrow() || !I.willReturn())
          return false;
        continue;
      }
      if (Load ? !Load->isSimple() : !Store->isSimple())
        return false;
      Accesses.push_back(&I);
      if (Accesses.size() > MaxAccesses)
        return false;
      if (!Store || !Store->getValueOperand()->getType()->isFloatingPointTy())
        continue;
      if (std::optional<MemorySum> S = sumOf(*Store, SE))
        Sums.push_back(*S);
    }
  erase_if(Sums, [&](const MemorySum &S) {
    return !isAligned(S) || !isUndisturbed(S, SE, Alias);
  });
  for (const MemorySum &S : Sums)
    FreeSums[S.Old] = FreeSums[S.New] = S.Old->getType();
  return !Sums.empty();
}

/// Nothing but sums accesses the element. What is known of the tags of an
/// access holds if that access is executed, and any of the element's own may be
/// alone.
bool RunningSums::isAlone(const Element &E) {
  const MemorySum &First = E.Sums.front();
  auto isElsewhere = [&](const Instruction &I) {
    return all_of(E.Sums, [&](const MemorySum &Own) {
      return Alias.alias(MemoryLocation::get(&I),
                         MemoryLocation::get(Own.New)) == AliasResult::NoAlias;
    });
  };
  return all_of(Accesses, [&](Instruction *I) {
    return FreeSums.lookup(I) == First.Old->getType() || isElsewhere(*I) ||
           Ranges.areDisjoint(*First.New, nullptr, *I, &L);
  });
}

SmallVector<Element, 4> RunningSums::find() {
  SmallVector<Element, 4> Found;
  if (!L.isLoopSimplifyForm() || !collect())
    return Found;
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  if (Exits.empty() ||
      any_of(Exits, [](BasicBlock *B) { return B->isEHPad(); }))
    return Found;
  MapVector<std::pair<const SCEV *, Type *>, Element> Elements;
  for (const MemorySum &S : Sums) {
    const SCEV *Place = SE.getSCEV(S.New->getPointerOperand());
    if (!SE.isLoopInvariant(Place, &L))
      continue;
    Element &E = Elements[{Place, S.Old->getType()}];
    E.Sums.push_back(S);
    for (Value *Address :
         {S.New->getPointerOperand(), S.Old->getPointerOperand()})
      if (L.isLoopInvariant(Address))
        E.Address = Address;
  }
  for (auto &[Place, E] : Elements)
    if (E.Address && Found.size() != MaxElements && isAlone(E))
      Found.push_back(E);
  return Found;
}

/// Whoever leaves the loop has executed one of the sums.
bool RunningSums::isAlwaysExecuted(const Element &E) const {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return any_of(E.Sums, [&](const MemorySum &S) {
    return all_of(Exiting, [&](const BasicBlock *B) {
      return DT.dominates(S.New->getParent(), B);
    });
  });
}

/// Adds \p Sum to the element behind the loop.
void RunningSums::addBehind(const Element &E, AllocaInst *Sum, BasicBlock &Exit,
                            bool Always, LoopInfo &LI) {
  const MemorySum &Own = E.Sums.front();
  Type *Ty = Own.Old->getType();
  AAMDNodes Tags = Own.New->getAAMetadata();
  Align Least = Own.New->getAlign();
  FastMathFlags Flags = FastMathFlags::getFast();
  Flags.setNoNaNs(false);
  Flags.setNoInfs(false);
  for (const MemorySum &S : E.Sums) {
    Flags &= cast<Instruction>(S.New->getValueOperand())->getFastMathFlags();
    Tags = Tags.merge(S.New->getAAMetadata()).merge(S.Old->getAAMetadata());
    Least = std::min({Least, S.New->getAlign(), S.Old->getAlign()});
  }
  IRBuilder<> B(&Exit, Exit.getFirstInsertionPt());
  Value *Total = B.CreateLoad(Ty, Sum, "sum");
  if (!Always) {
    Value *Any = B.CreateFCmpUNE(Total, ConstantFP::getZero(Ty), "any");
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Any, B.GetInsertPoint(),
                                               /*Unreachable=*/false,
                                               /*BranchWeights=*/nullptr,
                                               &Updater, &LI));
  }
  LoadInst *Old = B.CreateAlignedLoad(Ty, E.Address, Least, "before");
  Old->setAAMetadata(Tags);
  B.setFastMathFlags(Flags);
  StoreInst *New =
      B.CreateAlignedStore(B.CreateFAdd(Old, Total), E.Address, Least);
  New->setAAMetadata(Tags);
}

void RunningSums::apply(const Element &E, LoopInfo &LI, AssumptionCache &AC) {
  Type *Ty = E.Sums.front().Old->getType();
  bool Always = isAlwaysExecuted(E);
  BasicBlock &Entry = L.getHeader()->getParent()->getEntryBlock();
  auto *Sum = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Ty);
  IRBuilder<>(L.getLoopPreheader()->getTerminator())
      .CreateStore(ConstantFP::getZero(Ty, /*Negative=*/true), Sum);
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    addBehind(E, Sum, *Exit, Always, LI);
  for (const MemorySum &S : E.Sums) {
    IRBuilder<> B(S.Old);
    S.Old->replaceAllUsesWith(B.CreateLoad(Ty, Sum));
    B.SetInsertPoint(S.New);
    B.CreateStore(S.New->getValueOperand(), Sum);
    S.Old->eraseFromParent();
    S.New->eraseFromParent();
  }
  PromoteMemToReg({Sum}, DT, &AC);
  SE.forgetTopmostLoop(&L);
}

} // namespace

PreservedAnalyses RunningSumsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  if (F.hasOptNone())
    return PreservedAnalyses::all();
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  AccessRanges Ranges(SE, Loops, DT);
  bool Changed = false;
  // From the inside out: what an inner loop adds behind it may be a sum of the
  // outer one.
  SmallVector<Loop *, 4> Preorder = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(Preorder)) {
    BatchAAResults Alias(AA);
    Alias.enableCrossIterationMode();
    RunningSums Sums(*L, SE, Ranges, Alias, DT);
    for (const Element &E : Sums.find()) {
      Sums.apply(E, Loops, AC);
      Ranges.forget();
      Changed = true;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace adze
