// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The augmented primal: the primal, shadows of its pointers, and the tape.
#ifndef ADZE_EMIT_AUGMENTEDEMITTER_H
#define ADZE_EMIT_AUGMENTEDEMITTER_H

#include "ForwardSweepEmitter.h"
#include "TapeWriter.h"

namespace adze {

class AugmentedEmitter : public ForwardSweepEmitter {
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

  Tape &T;
  TapeWriter Writer;
  /// The alternatives that are kept, and what they are computed from.
  llvm::DenseSet<const llvm::Instruction *> Alternatives;
};

} // namespace adze
#endif
