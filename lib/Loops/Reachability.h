// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions may be executed after another one, in the control flow
// graph of one function that does not change.
#ifndef ADZE_LIB_LOOPS_REACHABILITY_H
#define ADZE_LIB_LOOPS_REACHABILITY_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
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

  /// The blocks on paths from the end of \p From to the end of \p To, which it
  /// dominates. (So none of them leads past \p From into the next iteration of
  /// a loop around it.) \p To is the first of them, unless it is \p From. If
  /// there are more than \p Most, some of them.
  static llvm::SmallVector<llvm::BasicBlock *, 16>
  between(const llvm::BasicBlock *From, llvm::BasicBlock *To,
          size_t Most = SIZE_MAX) {
    llvm::SmallVector<llvm::BasicBlock *, 16> Blocks;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Seen;
    Seen.insert(From);
    if (Seen.insert(To).second)
      Blocks.push_back(To);
    for (size_t Next = 0; Next < Blocks.size() && Next <= Most; ++Next)
      for (llvm::BasicBlock *Pred : llvm::predecessors(Blocks[Next]))
        if (Seen.insert(Pred).second)
          Blocks.push_back(Pred);
    return Blocks;
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
