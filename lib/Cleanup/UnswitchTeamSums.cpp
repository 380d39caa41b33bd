// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamSums.h"
#include "adze/AtomicSum.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace adze {

namespace {

/// Instructions of a loop of which there may be two, of all such loops of a
/// function, and how often one is doubled.
constexpr unsigned MaxSize = 1500, MaxTotal = 12000, MaxDepth = 2;

/// The conditions of sums in \p L that are the same in all iterations.
SmallSetVector<Value *, 2> conditionsIn(const Loop &L) {
  SmallSetVector<Value *, 2> Conditions;
  for (const BasicBlock *B : L.blocks()) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (Br && Br->isConditional() && Br->hasMetadata(AloneMetadata) &&
        !isa<Constant>(Br->getCondition()) &&
        L.isLoopInvariant(Br->getCondition()))
      Conditions.insert(Br->getCondition());
  }
  return Conditions;
}

unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *B : L.blocks())
    Size += B->size();
  return Size;
}

class Unswitching {
public:
  Unswitching(LoopInfo &Loops, DominatorTree &DT) : Loops(Loops), DT(DT) {}

  bool run(Loop &L, unsigned Depth = 0);

private:
  Loop &split(Loop &L, Value *Condition);

  LoopInfo &Loops;
  DominatorTree &DT;
  unsigned Total = 0;
};

void setIn(const Loop &L, Value &Condition, bool Is) {
  Condition.replaceUsesWithIf(ConstantInt::getBool(Condition.getType(), Is),
                              [&](const Use &U) {
                                auto *I = dyn_cast<Instruction>(U.getUser());
                                return I && L.contains(I);
                              });
}

/// \p L is where \p Condition is true. The other one is the result.
Loop &Unswitching::split(Loop &L, Value *Condition) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  BasicBlock *Check = L.getLoopPreheader();
  BasicBlock *Start = SplitBlock(Check, Check->getTerminator(), &DT, &Loops);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Start, Check, &L, Map, ".together",
                                      &Loops, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned K = 0, End = Phi.getNumIncomingValues(); K != End; ++K) {
        BasicBlock *From = Phi.getIncomingBlock(K);
        if (!L.contains(From))
          continue;
        Value *V = Phi.getIncomingValue(K);
        Value *Other = Map.lookup(V);
        Phi.addIncoming(Other ? Other : V, cast<BasicBlock>(Map[From]));
      }
  Instruction *Old = Check->getTerminator();
  IRBuilder<> B(Old);
  // The loop may have asked in no iteration at all.
  B.CreateCondBr(B.CreateFreeze(Condition), Start, Copy->getLoopPreheader())
      ->setMetadata(AloneMetadata, MDNode::get(B.getContext(), {}));
  Old->eraseFromParent();
  setIn(L, *Condition, true);
  setIn(*Copy, *Condition, false);
  DT.recalculate(*Check->getParent());
  return *Copy;
}

bool Unswitching::run(Loop &L, unsigned Depth) {
  const auto Conditions = conditionsIn(L);
  const unsigned Size = sizeOf(L);
  if (Conditions.empty() || Depth == MaxDepth || Size > MaxSize ||
      Total + Size > MaxTotal || !L.isLoopSimplifyForm() || !L.isSafeToClone())
    return false;
  formLCSSA(L, DT, &Loops, nullptr);
  Total += Size;
  Loop &Together = split(L, Conditions.front());
  run(L, Depth + 1);
  run(Together, Depth + 1);
  return true;
}

} // namespace

PreservedAnalyses UnswitchTeamSumsPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  if (F.hasOptSize() || F.hasOptNone())
    return PreservedAnalyses::all();
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 8> Innermost;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost() && !conditionsIn(*L).empty())
      Innermost.push_back(L);
  if (Innermost.empty())
    return PreservedAnalyses::all();
  Unswitching U(Loops, FAM.getResult<DominatorTreeAnalysis>(F));
  bool Changed = false;
  for (Loop *L : Innermost)
    Changed |= U.run(*L);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace adze
