// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EarlyValues.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// More instructions are not moved for one phi.
static constexpr unsigned MaxMoved = 8;

/// The only number among the operands of \p Phi, if others are undefined.
static Instruction *onlyValue(const PHINode &Phi) {
  Instruction *Only = nullptr;
  bool HasOthers = false;
  for (Value *V : Phi.incoming_values()) {
    if (isa<UndefValue>(V)) {
      HasOthers = true;
      continue;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!I || (Only && Only != I))
      return nullptr;
    Only = I;
  }
  return HasOthers ? Only : nullptr;
}

/// Computes \p I at the end of \p At, which leads to it, if that costs little.
static bool moveTo(BasicBlock &At, Instruction &I, const DominatorTree &DT) {
  SmallSetVector<Instruction *, 8> Moved;
  Moved.insert(&I);
  for (unsigned Next = 0; Next != Moved.size(); ++Next) {
    Instruction &Now = *Moved[Next];
    if (Moved.size() > MaxMoved || isa<PHINode, CallBase, AllocaInst>(Now) ||
        Now.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&Now) ||
        canCreatePoison(cast<Operator>(&Now),
                        /*ConsiderFlagsAndMetadata=*/false))
      return false;
    for (Value *Op : Now.operands())
      if (auto *Needed = dyn_cast<Instruction>(Op))
        if (!DT.dominates(Needed, At.getTerminator()))
          Moved.insert(Needed);
  }
  // All of them dominate the first one, and so are in one order.
  SmallVector<Instruction *, 8> Ordered(Moved.begin(), Moved.end());
  sort(Ordered, [&](const Instruction *A, const Instruction *B) {
    return A != B && DT.dominates(A, B);
  });
  for (Instruction *Each : Ordered) {
    Each->moveBefore(At.getTerminator());
    // On the other ways it may be anything, but must not be poison where it
    // was undefined.
    Each->dropPoisonGeneratingAnnotations();
    Each->dropLocation();
  }
  return true;
}

PreservedAnalyses EarlyValuesPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  bool Changed = false;
  for (BasicBlock &B : F) {
    const DomTreeNode *Node = DT.getNode(&B);
    if (!Node || !Node->getIDom())
      continue;
    for (PHINode &Phi : make_early_inc_range(B.phis())) {
      Instruction *Only = onlyValue(Phi);
      if (!Only || Only == &Phi || !DT.isReachableFromEntry(Only->getParent()))
        continue;
      if (!DT.dominates(Only, &Phi) &&
          !moveTo(*Node->getIDom()->getBlock(), *Only, DT))
        continue;
      Phi.replaceAllUsesWith(Only);
      Phi.eraseFromParent();
      Changed = true;
    }
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace adze
