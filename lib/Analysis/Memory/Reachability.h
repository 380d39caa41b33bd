// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions may be executed after another one, in the control flow
// graph of one function that does not change.
#ifndef ADZE_ANALYSIS_MEMORY_REACHABILITY_H
#define ADZE_ANALYSIS_MEMORY_REACHABILITY_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace adze {

class Reachability {
public:
  explicit Reachability(const llvm::Function &F) {
    for (const llvm::BasicBlock &B : F)
      Number.try_emplace(&B, Number.size());
  }

  /// Some execution runs \p Later, once \p Earlier is done.
  bool after(const llvm::Instruction *Earlier, const llvm::Instruction *Later) {
    const llvm::BasicBlock *From = Earlier->getParent();
    const llvm::BasicBlock *To = Later->getParent();
    if (From == To && Earlier != Later && Earlier->comesBefore(Later))
      return true;
    auto [It, New] = Reached.try_emplace(From);
    if (New)
      It->second = search(From, nullptr);
    return It->second.test(Number.lookup(To));
  }

  /// The same, by a path that does not enter block \p Avoided again.
  bool afterAvoiding(const llvm::Instruction *Earlier,
                     const llvm::Instruction *Later,
                     const llvm::BasicBlock *Avoided) {
    const llvm::BasicBlock *From = Earlier->getParent();
    const llvm::BasicBlock *To = Later->getParent();
    if (From == To && Earlier != Later && Earlier->comesBefore(Later))
      return true;
    auto [It, New] = ReachedAvoiding.try_emplace({From, Avoided});
    if (New)
      It->second = search(From, Avoided);
    return It->second.test(Number.lookup(To));
  }

private:
  /// Blocks that a non-empty path from the end of \p From enters.
  llvm::BitVector search(const llvm::BasicBlock *From,
                         const llvm::BasicBlock *Avoided) const {
    llvm::BitVector Seen(Number.size());
    llvm::SmallVector<const llvm::BasicBlock *, 32> Work(1, From);
    while (!Work.empty())
      for (const llvm::BasicBlock *S : llvm::successors(Work.pop_back_val())) {
        unsigned N = Number.lookup(S);
        if (S == Avoided || Seen.test(N))
          continue;
        Seen.set(N);
        Work.push_back(S);
      }
    return Seen;
  }

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Number;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> Reached;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
                 llvm::BitVector>
      ReachedAvoiding;
};

} // namespace adze
#endif
