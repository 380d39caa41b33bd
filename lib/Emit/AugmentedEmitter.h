// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The augmented primal: the primal, shadows of its pointers, and the tape.
#ifndef ADZE_EMIT_AUGMENTEDEMITTER_H
#define ADZE_EMIT_AUGMENTEDEMITTER_H

#include "ForwardSweepEmitter.h"
#include "SlotAddress.h"

namespace adze {

class AugmentedEmitter : public ForwardSweepEmitter, private SlotIndices {
public:
  AugmentedEmitter(const Facts &F, const Plan &P, llvm::Function &Out,
                   llvm::IRBuilder<> &B, const Lanes &L, Tape &T);

  bool carries(const llvm::Value *V) const override { return hasShadow(V); }
  bool reversesLater() const override { return true; }
  llvm::Value *tapeOf(const llvm::CallBase *Call) override;
  llvm::Value *storageOf(const llvm::AllocaInst *A, bool Shadow) override;

protected:
  void enterBlock(const llvm::BasicBlock &Block) override;
  void afterInstruction(const llvm::Instruction &I) override;
  void leaveBlock(const llvm::BasicBlock &Block) override;
  void beforeInstruction(const llvm::Instruction &I) override;

private:
  void findKeptAlternatives();
  llvm::Value *snapshot(const llvm::CallBase &Call);
  llvm::Value *counter(llvm::IRBuilder<> &B, const LoopRecord *L) override;
  llvm::Value *extent(llvm::IRBuilder<> &B, const LoopRecord *L) override;
  llvm::Value *base(llvm::IRBuilder<> &B, unsigned Index) override;
  llvm::Value *address(unsigned Index);
  llvm::Value *bytesOf(const Slot &S);
  void allocate(const Slot &S);
  void grow(const Slot &S);
  void setBase(const Slot &S, llvm::Value *Block);
  void keep(const llvm::Instruction &I, Part Which, llvm::Value *V);

  Tape &T;
  /// One slot for each block of memory, by the block where it is made (the
  /// outermost dimension's preheader) or made larger (its header).
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<unsigned>> Made, Grown;
  /// What base slots hold, from where it is made to the end of the loop. Not
  /// loaded again: elements stored to the tape might have changed it, for all
  /// that the optimizer knows.
  llvm::DenseMap<unsigned, llvm::Value *> Bases;
  /// The alternatives that are kept, and what they are computed from.
  llvm::DenseSet<const llvm::Instruction *> Alternatives;
};

} // namespace adze
#endif
