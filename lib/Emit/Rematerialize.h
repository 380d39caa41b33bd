// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings primal values and shadows into the reverse pass, as the plan says:
// from an argument, a tape slot, or by computing them again from others.
//
// A value that does not vary in the reversed loop around its use is made once
// before that loop, in the edge block of the loop's only exit; loops with
// several exits have no such place. Made values are remembered per block.
#ifndef ADZE_EMIT_REMATERIALIZE_H
#define ADZE_EMIT_REMATERIALIZE_H

#include "ReverseBlocks.h"
#include "SlotAddress.h"
#include "adze/Rule.h"

namespace adze {

class Rematerializer : private SlotIndices {
public:
  /// A place in the reverse pass: code goes to the end of Block (before its
  /// terminator, if it has one), which runs in iterations of loop L.
  struct Place {
    llvm::BasicBlock *Block = nullptr;
    const llvm::Loop *L = nullptr;
  };

  Rematerializer(const Facts &F, const Plan &P, llvm::Function &Out,
                 const ReverseBlocks &Blocks, Tape &T, const Lanes &L);

  llvm::Value *get(PlanValue V, Place At);
  /// Address of slot \p Index in the current iteration at \p At.
  llvm::Value *address(unsigned Index, Place At);
  /// The pointer of base slot \p Index, or the number of visits, varies in the
  /// reversed loop: it is in this stack variable.
  void setVarying(unsigned Index, llvm::Value *Variable) {
    Varying[Index] = Variable;
  }
  /// A value that a rule read although the plan has no decision for it; "" if
  /// there was none. What was emitted is then wrong.
  const std::string &unplanned() const { return Unplanned; }
  /// A builder that adds code at \p At.
  static llvm::IRBuilder<> builderAt(Place At);

private:
  friend class ShadowContext;
  using Key =
      std::pair<std::pair<const llvm::Value *, unsigned>, llvm::BasicBlock *>;

  Place placeOf(PlanValue V, Place At) const;
  Place hoist(const llvm::Loop *Defining, Place At) const;
  llvm::Value *available(PlanValue V, Place At);
  llvm::Value *make(PlanValue V, const Decision &D, Place At);
  llvm::Value *recompute(PlanValue V, const Decision &D, Place At);
  llvm::Value *known(PlanValue V, Place At);

  llvm::Value *counter(llvm::IRBuilder<> &B, const LoopRecord *L) override;
  llvm::Value *extent(llvm::IRBuilder<> &B, const LoopRecord *L) override;
  llvm::Value *base(llvm::IRBuilder<> &B, unsigned Index) override;
  llvm::Value *visit(llvm::IRBuilder<> &B, unsigned Index) override;

  const Facts &F;
  const Plan &P;
  const ReverseBlocks &Blocks;
  Tape &T;
  const Lanes &L;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> ArgPrimals, ArgShadows;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> GivenCopies;
  llvm::DenseMap<Key, llvm::Value *> Made;
  llvm::DenseMap<std::pair<unsigned, llvm::BasicBlock *>, llvm::Value *> Bases;
  llvm::DenseMap<unsigned, llvm::Value *> Varying;
  Place Current; // of the slot access being emitted
  std::string Unplanned;
};

/// Says of \p New what memory it accesses: the reverse half executes it as \p
/// I, of the primal or an alternative.
void tagAgain(llvm::Instruction &New, const llvm::Instruction &I,
              const Primal &P);

} // namespace adze
#endif
