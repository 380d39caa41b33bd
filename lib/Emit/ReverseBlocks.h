// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control flow of the reverse pass. Every block B of the primal from which
// the return can be reached has a reverse block R(B), and every edge P -> B of
// the primal an edge block E(B, P), which ends in a branch to R(P):
//
//   R(B) --> E(B, P1) --> R(P1)     which edge: EnteredFrom, or for a loop
//        \-> E(B, P2) --> R(P2)     header whether the counter is zero
//
// R(B) of an exit block sets the counters of the loops left; E(header, latch)
// counts down. An edge block of a loop's only exit is where code that does not
// vary in the reversed loop is put.
#ifndef ADZE_EMIT_REVERSEBLOCKS_H
#define ADZE_EMIT_REVERSEBLOCKS_H

#include "adze/Primal.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

class ReverseBlocks {
public:
  ReverseBlocks(const Primal &P, llvm::Function &Out);

  llvm::BasicBlock *block(const llvm::BasicBlock *B) const {
    return Blocks.lookup(B);
  }
  llvm::BasicBlock *edge(const llvm::BasicBlock *B,
                         const llvm::BasicBlock *Pred) const {
    return Edges.lookup({B, Pred});
  }
  /// The stack variable that counts loop \p L down.
  llvm::Value *counterVariable(const LoopRecord *L) const {
    return Counters.lookup(L);
  }
  llvm::Value *counter(llvm::IRBuilder<> &B, const LoopRecord *L) const;

  /// Ends R(B): \p EnteredFrom is the index value of a merge block at this
  /// place, null for other blocks.
  void branchBack(llvm::IRBuilder<> &B, const llvm::BasicBlock *Block,
                  llvm::Value *EnteredFrom);

private:
  void markVersion(llvm::Instruction &Branch, const llvm::BasicBlock *Block,
                   llvm::ArrayRef<llvm::BasicBlock *> Preds) const;
  const Primal &P;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
                 llvm::BasicBlock *>
      Edges;
  llvm::DenseMap<const LoopRecord *, llvm::Value *> Counters;
};

} // namespace adze
#endif
