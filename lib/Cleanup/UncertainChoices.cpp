// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/UncertainChoices.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// A comparison with a constant often has one outcome: a guard, a test of a
/// sign.
static bool isUncertain(const SelectInst &Choice) {
  auto *Less = dyn_cast<FCmpInst>(Choice.getCondition());
  return Less && none_of(Less->operands(),
                         [](const Use &U) { return isa<Constant>(U.get()); });
}

PreservedAnalyses UncertainChoicesPass::run(Module &M,
                                            ModuleAnalysisManager &AM) {
  for (Function &F : M) {
    if (!isOwn(F))
      continue;
    for (Instruction &I : instructions(F))
      if (auto *Choice = dyn_cast<SelectInst>(&I);
          Choice && isUncertain(*Choice))
        Choice->setMetadata(LLVMContext::MD_unpredictable,
                            MDNode::get(M.getContext(), {}));
  }
  return PreservedAnalyses::all();
}

} // namespace adze
