// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the accesses of a function lead whose addresses depend on what is in
// memory: indices that are read from arrays, rows that pointers in memory lead
// to. No expression at the function's entry says how far that is. So a function
// of its own, the inspector, goes the same way through the same loops in
// advance and does nothing but follow the addresses:
//
//   for (i < n)
//     for (k = start[i]; k < start[i + 1]; k++) y[i] += a[k] * v[col[k]];
//
//   for (i < n) {
//     a: from start[i] to start[i + 1]          advances by steps: both ends do
//     for (k = start[i]; k < start[i + 1]; k++)
//       v: least and greatest col[k]
//   }
//
// Rows like those of col mostly follow on each other. Then all of them are one
// long row, which is read in one loop without conditions, that becomes vector
// code; the run decides.
//
// This is the inspector of Saltz et al. (inspector and executor), and of the
// hybrid analysis of Rus et al. It executes the loads that the program will
// execute, under the same conditions, so it reads what the program reads: as
// long as no store meets what it has read, which is for the caller to test (see
// reads()). It is finite: the loops that it needs have counts that are known
// when they are entered.
#ifndef ADZE_LIB_PREPARE_ADDRESSINSPECTOR_H
#define ADZE_LIB_PREPARE_ADDRESSINSPECTOR_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace adze {

/// What an inspector copies.
struct InspectedCode {
  llvm::SetVector<const llvm::Instruction *> Values;
  /// Blocks whose branch decides whether something is executed.
  llvm::SetVector<const llvm::BasicBlock *> Branches;
  /// Blocks that have to be executed as often as in the program.
  llvm::SetVector<const llvm::BasicBlock *> Blocks;
};

class AddressInspector {
public:
  /// The code that is looked at is what \p At dominates.
  AddressInspector(llvm::Function &F, llvm::BasicBlock &At,
                   llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
                   llvm::DominatorTree &DT);

  /// Whether the ends of what is found have been met in some execution, or may
  /// lie farther apart.
  enum class Ends { Met, Around };
  /// What lies between two i64 in all executions of an instruction: its number;
  /// nothing if that cannot be told in advance. \p Depth: of loops that the
  /// program goes through for it, if these are more than those around \p I.
  std::optional<unsigned> follow(const llvm::Instruction &I,
                                 const llvm::SCEV *Low, const llvm::SCEV *High,
                                 Ends Are = Ends::Around, unsigned Depth = 0);
  /// What has to be loaded to follow number \p No.
  llvm::SmallVector<const llvm::LoadInst *, 8> reads(unsigned No) const;

  /// The least and the greatest of several numbers; Least is greater than
  /// Greatest if none is ever computed.
  struct Extent {
    llvm::Value *Least, *Greatest;
  };
  /// Writes a test of what has been found. It stands in the inspector, so that
  /// no address leaves it: the last function gives what stands there for a
  /// value that is known.
  using Test = llvm::function_ref<llvm::Value *(
      llvm::IRBuilder<> &, llvm::ArrayRef<Extent>,
      llvm::function_ref<llvm::Value *(llvm::Value *)>)>;
  /// Makes the inspector, and its call at the end of the block: an i1. The test
  /// reads \p Inputs.
  llvm::Value *emit(llvm::ArrayRef<llvm::SmallVector<unsigned, 4>> Groups,
                    llvm::ArrayRef<llvm::Value *> Inputs, Test Holds);

  /// \p V is the same whenever the block has been executed.
  bool isKnown(const llvm::Value *V) const;

private:
  /// An i64 that lies between Low and High.
  struct Number {
    llvm::BasicBlock *Place = nullptr; // at whose end both are computed
    const llvm::SCEV *Low = nullptr, *High = nullptr;
    llvm::SmallVector<const llvm::SCEV *, 2> Counts; // of the loops left out
    InspectedCode Code;
    /// What varies of both, Rest + Scale * Varying, if it can be told apart.
    const llvm::SCEV *Varying = nullptr, *LowRest = nullptr,
                     *HighRest = nullptr;
    int64_t Scale = 1;
    bool Signed = true; // Varying is extended so
    /// A load that is Varying, and walks over rows element by element. From the
    /// base of its address: where a row begins, known at the end of a block,
    /// and the iterations but one.
    struct Walk {
      const llvm::LoadInst *Load = nullptr;
      llvm::Value *Base = nullptr;
      llvm::BasicBlock *Place = nullptr;
      const llvm::SCEV *Begin = nullptr, *Count = nullptr;
      InspectedCode Code;
    };
    Walk Rows;
  };
  class Builder;

  bool leaveLoops(Number &N, Ends Are) const;
  bool isCheap(const Number &N, unsigned Depth) const;
  void separate(Number &N) const;
  void findWalk(Number &N);
  bool canBuild(const llvm::SCEV *S, const llvm::BasicBlock &Place,
                unsigned Depth) const;
  bool addLeaves(const llvm::SCEV *S, InspectedCode &C) const;
  bool complete(InspectedCode &C);
  bool addDecisions(InspectedCode &C);
  bool mayCopy(const llvm::Instruction &I) const;
  bool mayNotBeReached(const llvm::Instruction &I) const;

  llvm::Function &F;
  llvm::BasicBlock &At;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree PDT;
  bool AllEnd; // no loop without exit
  llvm::SmallVector<const llvm::Instruction *, 8> Leaving;
  std::vector<Number> Numbers;
};

} // namespace adze
#endif
