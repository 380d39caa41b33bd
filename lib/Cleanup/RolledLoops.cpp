// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RolledLoops.h"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace adze {

/// The user has said how the loop is to be unrolled.
static bool isDecided(const Loop &L) {
  const MDNode *ID = L.getLoopID();
  return ID && any_of(drop_begin(ID->operands()), [](const MDOperand &Each) {
           auto *Option = dyn_cast<MDNode>(Each);
           auto *Name = Option && Option->getNumOperands()
                            ? dyn_cast<MDString>(Option->getOperand(0))
                            : nullptr;
           return Name && Name->getString().starts_with("llvm.loop.unroll");
         });
}

/// Instructions of a chain that LLVM may unroll: the longer it is, the less its
/// test for the end costs.
constexpr unsigned ShortChain = 40;

static unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *B : L.blocks())
    Size += unsigned(B->sizeWithoutDebug());
  return Size;
}

/// A number that each iteration makes of that of the one before, and that is no
/// sum of which the order does not matter, nor one that is handed on as it is:
/// the loop is no vector code as it stands, but what several iterations do
/// besides is, side by side.
static bool isChain(Loop &L, DominatorTree &DT) {
  if (!L.getLoopPreheader() || !L.getLoopLatch())
    return false;
  return any_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    RecurrenceDescriptor Sum;
    return Phi.getType()->isFloatingPointTy() &&
           !RecurrenceDescriptor::isFixedOrderRecurrence(&Phi, &L, &DT) &&
           !(RecurrenceDescriptor::isReductionPHI(&Phi, &L, Sum) &&
             !Sum.getExactFPMathInst());
  });
}

static bool staysRolled(Loop &L, DominatorTree &DT) {
  const bool Gains =
      L.isInnermost() && isChain(L, DT) && sizeOf(L) < ShortChain;
  return !Gains && !isDecided(L);
}

PreservedAnalyses RolledLoopsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  // The threads of a device share one way through the code, where each test
  // that is left out counts.
  if (FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return PreservedAnalyses::all();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (staysRolled(*L, DT))
      addStringMetadataToLoop(L, "llvm.loop.unroll.runtime.disable");
  return PreservedAnalyses::all();
}

} // namespace adze
