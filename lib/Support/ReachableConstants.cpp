// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ReachableConstants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

SetVector<const Constant *>
reachableConstants(ArrayRef<const Function *> Roots) {
  SetVector<const Constant *> Reachable;
  SmallVector<const Constant *, 16> Work(Roots.begin(), Roots.end());
  auto Mention = [&](const Value *V) {
    if (const auto *C = dyn_cast<Constant>(V))
      Work.push_back(C);
  };
  while (!Work.empty()) {
    const Constant *C = Work.pop_back_val();
    if (!Reachable.insert(C))
      continue;
    for_each(C->operands(), Mention);
    if (const auto *F = dyn_cast<Function>(C))
      for (const Instruction &I : instructions(F))
        for_each(I.operands(), Mention);
  }
  return Reachable;
}

} // namespace adze
