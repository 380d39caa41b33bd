// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop does for each direction, instruction by instruction beside what
// it does for the first one.
#ifndef ADZE_LIB_CLEANUP_ALIKEDIRECTIONS_H
#define ADZE_LIB_CLEANUP_ALIKEDIRECTIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace adze {

/// An operand that comes from in front of the loop, and has another value for
/// each direction.
struct DirectionOperand {
  llvm::SmallVector<llvm::Value *, 8> Each;
  bool isNumber() const { return Each.front()->getType()->isFloatingPointTy(); }
};

class AlikeDirections {
public:
  using Row = llvm::SmallVector<llvm::Instruction *, 8>;

  explicit AlikeDirections(const llvm::BasicBlock &Body) : Body(Body) {}

  /// The stores of \p Stores, one list for each direction, store alike what is
  /// computed alike from operands that are the same or come from in front of
  /// the loop.
  bool match(llvm::ArrayRef<llvm::SmallVector<llvm::StoreInst *, 4>> Stores);

  unsigned count() const { return Count; }
  /// Instructions of the first direction, those of the others beside them.
  llvm::ArrayRef<llvm::Instruction *> instructions() const { return Order; }
  const Row &others(const llvm::Instruction *First) const {
    return Rows.find(First)->second;
  }
  bool isShared(const llvm::Instruction *First) const;
  llvm::ArrayRef<DirectionOperand> operands() const { return Operands; }
  /// Which of operands() an operand of the first direction is; or null.
  const unsigned *operand(const llvm::Use &U) const {
    auto Found = OperandOf.find(&U);
    return Found == OperandOf.end() ? nullptr : &Found->second;
  }

private:
  bool pair(const Row &Alike);
  bool matchOperand(llvm::Instruction &First, unsigned Index);
  bool keepsOrder() const;
  void addOperand(const llvm::Use &U, DirectionOperand Each);
  llvm::Instruction *inside(llvm::Value *V) const;

  const llvm::BasicBlock &Body;
  unsigned Count = 0;
  llvm::SmallVector<llvm::Instruction *, 32> Order;
  llvm::DenseMap<const llvm::Instruction *, Row> Rows;
  llvm::SmallVector<DirectionOperand, 16> Operands;
  llvm::DenseMap<const llvm::Use *, unsigned> OperandOf;
};

} // namespace adze
#endif
