// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of a slot's element in the current iteration of its loops.
#ifndef ADZE_EMIT_SLOTADDRESS_H
#define ADZE_EMIT_SLOTADDRESS_H

#include "TapeIO.h"

namespace adze {

/// What an address depends on, as the augmented or the reverse half knows it
/// at the place of \p B.
class SlotIndices {
public:
  virtual ~SlotIndices();
  virtual llvm::Value *counter(llvm::IRBuilder<> &B, const LoopRecord *L) = 0;
  /// i64 number of iterations of \p L.
  virtual llvm::Value *extent(llvm::IRBuilder<> &B, const LoopRecord *L) = 0;
  /// The pointer kept in base slot \p Index, for the current iteration.
  virtual llvm::Value *base(llvm::IRBuilder<> &B, unsigned Index) = 0;
  /// i64: which visit this is of the block of slots ByVisit with the base slot
  /// \p Index.
  virtual llvm::Value *visit(llvm::IRBuilder<> &B, unsigned Index) = 0;
};

llvm::Value *slotAddress(llvm::IRBuilder<> &B, const Plan &P, unsigned Index,
                         Tape &T, SlotIndices &Indices);

/// Stores \p V to an element, widened to the slot's element type; and back.
void storeElement(llvm::IRBuilder<> &B, const Slot &S, llvm::Value *V,
                  llvm::Value *Address);
llvm::Value *loadElement(llvm::IRBuilder<> &B, const Slot &S, llvm::Type *Ty,
                         llvm::Value *Address);

/// The value that gives the extent of \p L, less one.
inline llvm::Value *lastIterationOf(const LoopRecord *L) {
  return L->LastIteration ? L->LastIteration : L->Bound;
}

} // namespace adze
#endif
