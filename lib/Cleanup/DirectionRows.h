// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the operations of a derivative in several directions that do the same
// for each direction: rows, of which vectors can be made.
#ifndef ADZE_LIB_CLEANUP_DIRECTIONROWS_H
#define ADZE_LIB_CLEANUP_DIRECTIONROWS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace adze {

struct DirectionRow {
  enum Form {
    Shared,   // one value for all directions
    Gathered, // values that are computed apart
    Vector    // operations or phis of one block
  };
  Form Is;
  llvm::SmallVector<llvm::Value *, 8> Each;
  /// Rows, of a Vector; of a phi, in the order of the first one's blocks.
  llvm::SmallVector<unsigned, 3> Operands;

  llvm::Instruction *at(unsigned K) const {
    return llvm::cast<llvm::Instruction>(Each[K]);
  }
  /// The last of a Vector's operations in their block.
  llvm::Instruction *last() const;
  bool isPhi() const { return llvm::isa<llvm::PHINode>(Each.front()); }
  bool isConstant() const {
    return llvm::all_of(Each, [](const llvm::Value *V) {
      return llvm::isa<llvm::Constant>(V);
    });
  }
};

/// \p F accesses shadows of several directions.
bool holdsDirections(const llvm::Function &F);

class DirectionRows {
public:
  /// Of blocks that \p MayHold says.
  DirectionRows(llvm::Function &F, const llvm::LoopInfo &LI,
                llvm::function_ref<bool(const llvm::BasicBlock &)> MayHold)
      : F(F), LI(LI), MayHold(MayHold) {}

  /// Those that are worth it. False if there are none.
  bool find();
  unsigned count() const { return Count; }
  llvm::ArrayRef<DirectionRow> rows() const { return Rows; }
  bool isElement(const llvm::Value &V) const { return RowWith.count(&V); }
  /// Something other than a row reads the element \p I of one.
  bool isReadElsewhere(const llvm::Instruction &I) const;

private:
  void addSeeds(llvm::BasicBlock &B);
  void addStores(llvm::BasicBlock &B);
  void addArray(llvm::InsertValueInst &Last);
  unsigned rowOf(llvm::ArrayRef<llvm::Value *> Each);
  bool isOperation(llvm::ArrayRef<llvm::Value *> Each) const;
  void addOperands(unsigned Index);
  bool isReadTooEarly(const DirectionRow &Row) const;
  bool readsElements(const DirectionRow &Row) const;
  void dropMisplaced();
  void dropUnworthy();
  void drop(DirectionRow &Row);
  uint64_t weightOf(const DirectionRow &Row) const;

  llvm::Function &F;
  const llvm::LoopInfo &LI;
  llvm::function_ref<bool(const llvm::BasicBlock &)> MayHold;
  unsigned Count = 0;
  std::vector<DirectionRow> Rows;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<unsigned, 2>> ByFirst;
  llvm::DenseMap<const llvm::Value *, unsigned> RowWith; // of a Vector
};

} // namespace adze
#endif
