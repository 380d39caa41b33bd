// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is the same in all threads of a team that run a region: values, and what
// loads read.
#ifndef ADZE_LIB_ANALYSIS_SHARING_UNIFORMREADS_H
#define ADZE_LIB_ANALYSIS_SHARING_UNIFORMREADS_H

#include "Analysis/Sharing/ThreadAddress.h"
#include "Loops/LoopMemory.h"
#include "llvm/Analysis/PostDominators.h"

namespace adze {

class UniformValues {
public:
  UniformValues(const Primal &P, LoopMemory &M) : P(P), M(M) {}

  /// All threads have the same arguments of their region, but for those of the
  /// runtime, and read the same where nobody writes.
  bool isUniform(const llvm::Value &V);
  /// Calculated of such values alone.
  bool isCalculatedAlike(const llvm::Value &V, unsigned Depth = 0);
  bool areLeavesUniform(const llvm::SCEV *S);

private:
  bool isWritten(const llvm::LoadInst &Load);

  const Primal &P;
  LoopMemory &M;
  llvm::DenseMap<const llvm::Value *, bool> Uniform;
};

/// Of loads in loops whose iterations are shared out: whether each iteration
/// reads the same.
class UniformReads {
public:
  UniformReads(const Primal &P, LoopMemory &M, UniformValues &Values);

  /// The loop around \p Load whose iterations are shared out; null if none is.
  const LoopRecord *sharedLoopOf(const llvm::LoadInst &Load);
  /// Each iteration of that loop reads the same addresses there: the value that
  /// tells in how many parts the loop is shared out. Else null.
  const llvm::Value *partsOf(const llvm::LoadInst &Load);

private:
  bool isReachedAlike(const llvm::BasicBlock &B, const LoopRecord &Shared);
  bool findsWayAlike(const llvm::BasicBlock &B, const LoopRecord &Shared);
  bool decidesAlike(const llvm::BasicBlock &Branch, const LoopRecord &Shared);

  const Primal &P;
  LoopMemory &M;
  UniformValues &Values;
  ThreadAddresses Addresses;
  llvm::PostDominatorTree PDT;
  llvm::DenseMap<const llvm::BasicBlock *, bool> ReachedAlike;
};

} // namespace adze
#endif
