// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that an instruction accesses while the loops around it run, as a
// computation in front of them: bytes without gaps (in which shadows may lie).
// Where there are gaps, or it is not known, what it accesses once.
#ifndef ADZE_LIB_EMIT_ACCESSEXTENTS_H
#define ADZE_LIB_EMIT_ACCESSEXTENTS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

namespace adze {

struct AccessExtent {
  llvm::Instruction *At; // in front of it they can be used
  llvm::Value *Base, *Bytes;
};

class AccessExtents {
public:
  AccessExtents(llvm::Function &F, llvm::ScalarEvolution &SE,
                llvm::LoopInfo &LI, llvm::DominatorTree &DT);

  /// \p I accesses \p Bytes (an integer) bytes at \p Address. Nothing if that
  /// has been asked of the same place before.
  std::optional<AccessExtent>
  ofAccess(llvm::Instruction &I, llvm::Value *Address, llvm::Value *Bytes);

private:
  /// If Apart is not null, pieces of that distance and of Piece bytes, with
  /// gaps between them; else Piece is Bytes.
  struct Extent {
    const llvm::SCEV *Base, *Bytes, *Piece;
    const llvm::SCEV *Apart = nullptr;
  };
  bool isAtMost(const llvm::SCEV *A, const llvm::SCEV *B,
                const llvm::Loop &L) const;
  std::optional<Extent> inLoop(const Extent &One, const llvm::Loop &L);
  bool isInEachIteration(const llvm::BasicBlock &B, const llvm::Loop &L) const;

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::SCEVExpander Expander;
  /// Nothing ends the program, or leaves the function, in the midst of these.
  llvm::DenseSet<const llvm::Loop *> RunToTheirEnd;
  llvm::DenseSet<std::pair<const llvm::BasicBlock *,
                           std::pair<const llvm::SCEV *, const llvm::SCEV *>>>
      Asked;
};

} // namespace adze
#endif
