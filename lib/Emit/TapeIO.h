// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing the tape. A tape is a set of fields, one for each slot
// that is not reached through a base pointer; where fields live is the only
// difference between a fused derivative (each field its own stack variable,
// which later becomes registers) and a split one (a struct that the caller
// provides).
#ifndef ADZE_EMIT_TAPEIO_H
#define ADZE_EMIT_TAPEIO_H

#include "adze/Plan.h"
#include "adze/RuleContext.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

/// What a tape's memory is aligned to, wherever it comes from.
constexpr uint64_t TapeAlign = 16;

/// The type of the field of a slot without Base.
llvm::Type *fieldType(const Slot &S);
/// Bytes of one element, as arrays of it are laid out.
uint64_t elementBytes(const Slot &S, const llvm::DataLayout &DL);

class Tape {
public:
  explicit Tape(const Plan &P) : P(P) {}
  virtual ~Tape();
  /// The address of the field of slot \p Index, which has no Base.
  virtual llvm::Value *field(llvm::IRBuilderBase &B, unsigned Index) = 0;
  /// The variable whose storage slot \p Index is, or those of its shadow, one
  /// for each direction of \p L.
  llvm::Value *storage(llvm::IRBuilderBase &B, unsigned Index, const Lanes &L);

protected:
  const Plan &P;
};

/// Every field a stack variable of \p F.
class FrameTape : public Tape {
public:
  FrameTape(const Plan &P, llvm::Function &F) : Tape(P), F(F) {}
  llvm::Value *field(llvm::IRBuilderBase &B, unsigned Index) override;

private:
  llvm::Function &F;
  llvm::DenseMap<unsigned, llvm::Value *> Variables;
};

/// Fields of the struct at \p Base, an argument; those of iterations that run
/// again are stack variables.
class StructTape : public Tape {
public:
  StructTape(const Plan &P, llvm::StructType *Ty, llvm::Value *Base,
             const llvm::DataLayout &DL);
  llvm::Value *field(llvm::IRBuilderBase &B, unsigned Index) override;

private:
  llvm::StructType *Ty;
  llvm::Value *Base;
  FrameTape OfReruns;
  llvm::DenseMap<unsigned, unsigned> FieldOf; // by slot
};

} // namespace adze
#endif
