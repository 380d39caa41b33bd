// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/SpeculationInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Vectorizers make these of what a condition guards, as they make selects.
static bool isMasked(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    return true;
  default:
    return false;
  }
}

/// No optimizer moves \p I past a condition.
static bool staysInPlace(const Instruction &I) {
  return !isa<PHINode>(I) && !isMasked(I) && !I.isDebugOrPseudoInst() &&
         !isSafeToSpeculativelyExecute(&I);
}

/// Of a select, the condition alone is read in every case.
static bool readsAlways(const Use &U) {
  return !isa<SelectInst>(U.getUser()) || U.getOperandNo() == 0;
}

/// Each way that leaves \p From merges \p V.
static bool mergedOnAllWays(const Value &V, const BasicBlock &From) {
  return all_of(successors(&From), [&](const BasicBlock *To) {
    return any_of(To->phis(), [&](const PHINode &Phi) {
      return Phi.getIncomingValueForBlock(&From) == &V;
    });
  });
}

SpeculationInfo::SpeculationInfo(const Function &F) {
  // (The analysis changes nothing and reads const functions; its interface
  // predates const.)
  PostDominatorTree Always(const_cast<Function &>(F));
  SmallVector<const Instruction *, 64> Work;
  auto Execute = [&](const Value *V, const BasicBlock *Reader) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && !Executed.count(I) && Always.dominates(Reader, I->getParent())) {
      Executed.insert(I);
      Work.push_back(I);
    }
  };
  for (const Instruction &I : instructions(F)) {
    if (staysInPlace(I)) {
      Executed.insert(&I);
      Work.push_back(&I);
    }
    // A merge is no choice of an optimizer: those are selects.
    if (auto *Phi = dyn_cast<PHINode>(&I))
      for (const BasicBlock *From : Phi->blocks())
        if (const Value *V = Phi->getIncomingValueForBlock(From);
            isa<Instruction>(V) && mergedOnAllWays(*V, *From))
          Execute(V, From);
  }
  while (!Work.empty()) {
    const Instruction *Reader = Work.pop_back_val();
    if (isa<PHINode>(Reader))
      continue;
    for (const Use &U : Reader->operands())
      if (readsAlways(U))
        Execute(U, Reader->getParent());
  }
}

} // namespace adze
