// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates the arrays of slots and stores into them what is kept, for code
// that runs forward: the augmented primal, and the iterations of a loop that
// the reverse pass runs again.
#ifndef ADZE_EMIT_TAPEWRITER_H
#define ADZE_EMIT_TAPEWRITER_H

#include "SlotAddress.h"
#include <functional>

namespace adze {

class TapeWriter : private SlotIndices {
public:
  /// For the slots that are filled by the iterations of \p Rerun that run
  /// again, or, if that is null, by the augmented primal. \p Primal gives the
  /// value that stands for one of the primal where \p B adds code.
  TapeWriter(const Plan &P, Tape &T, llvm::IRBuilder<> &B,
             const LoopRecord *Rerun,
             std::function<llvm::Value *(const llvm::Value *)> Primal);

  /// To be called behind the phis of a block of the primal.
  void enterBlock(const llvm::BasicBlock &Block);
  /// To be called before the terminator of a block of the primal.
  void leaveBlock(const llvm::BasicBlock &Block);
  /// Stores \p V, which is a part of \p I, if the plan keeps it.
  void keep(const llvm::Instruction &I, Part Which, llvm::Value *V);
  /// The address of slot \p Index in this iteration.
  llvm::Value *address(unsigned Index);

private:
  /// Records of a path: variables with their array and with the visits so far.
  struct Path {
    unsigned Index; // of one of the slots
    llvm::Value *Array, *Visits;
  };

  llvm::Value *counter(llvm::IRBuilder<> &B, const LoopRecord *L) override;
  llvm::Value *extent(llvm::IRBuilder<> &B, const LoopRecord *L) override;
  llvm::Value *base(llvm::IRBuilder<> &B, unsigned Index) override;
  llvm::Value *visit(llvm::IRBuilder<> &B, unsigned Index) override;
  llvm::Value *bytesOf(const Slot &S);
  void allocate(const Slot &S);
  void grow(const Slot &S);
  void addPath(unsigned Index);
  void beginVisit(const Path &Of);
  void keepPaths();
  void setBase(const Slot &S, llvm::Value *Block);

  const Plan &P;
  Tape &T;
  llvm::IRBuilder<> &B;
  const LoopRecord *Rerun;
  std::function<llvm::Value *(const llvm::Value *)> Primal;
  /// One slot for each block of memory, by the block where it is made (the
  /// outermost dimension's preheader) or made larger (its header).
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<unsigned>> Made, Grown;
  /// What base slots hold, from where it is made to the end of the loop. Not
  /// loaded again: elements stored to the tape might have changed it, for all
  /// that the optimizer knows.
  llvm::DenseMap<unsigned, llvm::Value *> Bases;
  llvm::DenseMap<const llvm::BasicBlock *, Path> Paths;
  std::vector<const llvm::BasicBlock *> PathBlocks; // in the plan's order
  /// From the first block of a path on, which visit this is; by base slot.
  llvm::DenseMap<unsigned, llvm::Value *> Visit;
};

} // namespace adze
#endif
