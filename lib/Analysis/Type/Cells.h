// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the fixpoint keeps its trees. Values whose trees determine each other
// share one cell, so that facts need not travel between them:
//
//  * pointers at a constant distance (GEPs with constant indices, casts,
//    freeze) share the cell of their common root; each has its own distance;
//  * pointers on a cycle of phis, selects and GEPs (p = phi [base], [p + 8])
//    share one cell that is folded by the cycle's step: what is at one
//    iteration's address is at every iteration's;
//  * integers on a cycle of phis and selects share one cell.
//
// A pointer's cell holds the tree of the memory behind it, any other value's
// cell the tree of its own bytes. Values of float type have no cell.
#ifndef ADZE_LIB_ANALYSIS_TYPE_CELLS_H
#define ADZE_LIB_ANALYSIS_TYPE_CELLS_H

#include "adze/TypeTree.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class DataLayout;
class Function;
class Instruction;
} // namespace llvm

namespace adze {

struct CellRef {
  int Cell = -1;
  int64_t Delta = 0; // of the value, from the cell's origin
  bool isValid() const { return Cell >= 0; }
};

struct Cell {
  TypeTree Tree;
  uint64_t Fold = 0; // step of the cycle; 0 if addresses stand still
  /// No way round the cycle is Fold long, which only divides them all: a number
  /// at one address says nothing of what stands Fold further on.
  bool SeveralSteps = false;
  unsigned Changes = 0;                 // sweeps in which it changed
  unsigned LastChange = 0;              // the last of those
  llvm::SmallVector<unsigned, 4> Users; // constraints to run after a change
};

/// A cell shared by a cycle, and the values that flow into the cycle.
struct Cycle {
  int Cell = -1;
  /// (member of the cycle, operand of it from outside)
  llvm::SmallVector<std::pair<const llvm::Instruction *, const llvm::Value *>,
                    4>
      Inputs;
};

/// Integers on a cycle that contains arithmetic: numbers if all inputs are.
struct CountingCycle {
  llvm::SmallVector<const llvm::Instruction *, 4> Members;
  llvm::SmallVector<const llvm::Value *, 4> Inputs;
};

class Cells {
public:
  Cells(const llvm::Function &F, const llvm::DataLayout &DL);

  /// The cell of a value; not valid for floats and for constants other than
  /// addresses in globals.
  CellRef of(const llvm::Value *V) const;

  std::vector<Cell> List;
  std::vector<Cycle> Cycles;
  std::vector<CountingCycle> CountingCycles;
  /// Reachable instructions, operands before uses except for phis.
  std::vector<const llvm::Instruction *> Order;

  /// \p I, a phi, select or GEP, and its operand \p V share a cycle's cell.
  bool inOneCycle(const llvm::Instruction *I, const llvm::Value *V) const;
  /// The values that may come out of merge \p I, or of the cycle that it is on;
  /// null and undef aside.
  unsigned inputsOf(const llvm::Instruction *I) const;

private:
  struct Place {
    const llvm::Value *Root = nullptr;
    int64_t Offset = 0;
  };
  void addValue(const llvm::Value *V);
  void addConstants(const llvm::Instruction &I);
  Place rootOf(const llvm::Value *V) const;
  Place placeOf(const llvm::Value *V);
  bool isCopy(const llvm::Instruction *I) const;
  void findCycles();
  void shareCell(llvm::ArrayRef<const llvm::Instruction *> Members);
  void makeCells();

  const llvm::DataLayout &DL;
  std::vector<const llvm::Value *> Values; // everything with a place, in order
  llvm::DenseMap<const llvm::Value *, Place> Places;
  struct RootCell {
    int Cell = -1;
    int64_t Delta = 0;
    int Cycle = -1;
  };
  llvm::DenseMap<const llvm::Value *, RootCell> Roots;
};

} // namespace adze
#endif
