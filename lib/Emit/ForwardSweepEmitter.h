// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits a copy of the primal that carries duals forward: the whole of forward
// mode, and the augmented primal of reverse mode. What differs between them
// (which values have duals, what happens after an instruction and at the
// return) is in the two subclasses.
#ifndef ADZE_EMIT_FORWARDSWEEPEMITTER_H
#define ADZE_EMIT_FORWARDSWEEPEMITTER_H

#include "GlobalPointers.h"
#include "TapeIO.h"
#include "adze/Rule.h"

namespace adze {

class ForwardSweepEmitter : public ForwardSweepContext {
public:
  /// \p Out is the function to fill; its first parameters are those of the
  /// request's arguments. The entry block must exist.
  ForwardSweepEmitter(const Facts &F, const Plan &P, llvm::Function &Out,
                      llvm::IRBuilder<> &B, const Lanes &L);

  void run();

  const CallPlan *callPlan(const llvm::CallBase &Call) override;
  llvm::Value *primal(const llvm::Value *V) override;
  llvm::Value *dual(const llvm::Value *V) override;
  void setDual(const llvm::Instruction *I, llvm::Value *D) override;
  void setPrimal(const llvm::Instruction *I, llvm::Value *V) override;
  llvm::Instruction *clonePrimal(const llvm::Instruction *I) override;
  llvm::BasicBlock *blockOf(const llvm::BasicBlock *B) const {
    return Blocks.lookup(B);
  }

protected:
  /// Where the alternatives stand whose place is \p I.
  virtual void beforeInstruction(const llvm::Instruction &) {}
  /// At the first insertion point of a block, after its phis.
  virtual void enterBlock(const llvm::BasicBlock &) {}
  virtual void afterInstruction(const llvm::Instruction &) {}
  /// Before the terminator of a block.
  virtual void leaveBlock(const llvm::BasicBlock &) {}
  /// Behind an instruction: see PlacedFloats.h.
  virtual void tellOfPlacedFloats(const llvm::Instruction &I);
  virtual void emitReturn(const llvm::ReturnInst &) = 0;
  /// Returns {primal?, dual?} as the request and \p WithDual say.
  void returnStruct(const llvm::ReturnInst &Return, bool WithDual);

  const Plan &P;
  llvm::Function &Out;

private:
  void mapArguments();
  void emitBlock(const llvm::BasicBlock &Block);
  void emitInstruction(const llvm::Instruction &I);
  void emitTerminator(const llvm::Instruction &I);
  void connectPhis();

  llvm::DenseMap<const llvm::Value *, llvm::Value *> Primals, Duals;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  std::vector<const llvm::PHINode *> Phis;
  GlobalPointers Globals;
};

/// A phi like \p Phi without operands, where \p B adds code.
llvm::PHINode *copyPhi(llvm::IRBuilder<> &B, const llvm::PHINode &Phi);

/// Adds a copy of terminator \p I, no return, that reads and leads to what \p
/// CopyOf gives for its operands.
llvm::Instruction *
copyTerminator(llvm::IRBuilder<> &B, const llvm::Instruction &I,
               llvm::function_ref<llvm::Value *(const llvm::Value *)> CopyOf);

/// A stack variable of \p Out like \p A.
llvm::AllocaInst *copyAlloca(const llvm::AllocaInst &A, llvm::Function &Out,
                             const llvm::Twine &Name);

/// Returns a struct of \p Fields; nothing if there are none.
void returnFields(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Fields);

} // namespace adze
#endif
