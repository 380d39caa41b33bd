// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_DRIVER_USESBEHIND_H
#define ADZE_DRIVER_USESBEHIND_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace adze {

/// \p Holds of each use of \p Pointer, and of each address that is calculated
/// of it, but for those that calculate one. False also if there are too many.
template <typename Predicate>
bool holdsOfUsesBehind(const llvm::Value &Pointer, Predicate Holds) {
  constexpr unsigned MaxAddresses = 1000;
  llvm::SmallVector<const llvm::Value *, 8> Todo = {&Pointer};
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  while (!Todo.empty()) {
    const llvm::Value *V = Todo.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() == MaxAddresses)
      return false;
    for (const llvm::Use &U : V->uses()) {
      auto *I = llvm::cast<llvm::Instruction>(U.getUser());
      if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst,
                    llvm::CastInst, llvm::FreezeInst>(I))
        Todo.push_back(I);
      else if (!Holds(*I, U))
        return false;
    }
  }
  return true;
}

} // namespace adze
#endif
