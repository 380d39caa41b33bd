// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the reverse pass can run again of an iteration of a loop.
//
//   for (e < elements) {
//     double c[8][3], g[3][8];                  scratch, here or further out
//     for (k < 8) .. c[k][d] = x[corner[e][k]][d];
//     for (k < 8) .. g[d][k] = c[..][..] * c[..][..] - ..;
//     ...
//   }
//
// To keep what the nests compute takes much memory, and computing it again
// value by value is not possible, for c and g are overwritten by the next
// iteration. But before the reverse pass takes an iteration back it can run it
// once more, in copies of c and g of its own, and keep what it needs in a tape
// that holds one iteration, is used again for the next, and stays in the cache.
//
// An instruction can run again if it gives the same then: it is pure, or loads
// memory that survives, or accesses scratch memory, whose content each
// iteration makes anew (ScratchMemory.h), or it loads what an alternative is,
// and that can run again: memory that the iteration overwrites is read from a
// copy that was made in it, of the state of a method for instance. What the
// iteration begins with are needs like others: phis of the header, values from
// outside, such copies, and of what cannot run again, all that each iteration
// computes once, the results of calls for instance. All that decides the way
// through the iteration must be able to run again, or be among those; of other
// values each for itself can, or is kept as ever. Nothing outside of scratch
// variables is written, so running again is not seen by anybody; but for shared
// memory on a GPU that the threads fill again, together (SharedFills.h). It is
// read afterwards, by the reverse of the iteration; what runs again, and what
// that begins with, does not read there.
#ifndef ADZE_PLAN_RERUNS_H
#define ADZE_PLAN_RERUNS_H

#include "Needs.h"
#include "ScratchMemory.h"
#include "SharedFills.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace adze {

class RerunAnalysis {
public:
  RerunAnalysis(const Facts &F, const LoopRecord &L);

  const LoopRecord &loop() const { return L; }
  /// An iteration can run again.
  bool isPossible() const { return Possible; }
  /// It writes to variables or blocks that the iterations fill before they
  /// read them.
  bool hasScratch() const { return !Variables.empty(); }
  /// It fills shared memory that the reverse pass could read.
  bool hasFills() const { return !Fills.Of.empty(); }
  /// \p V, a load of such memory, finds there what it has read.
  bool findsAgain(PlanValue V) const;
  /// The iteration that runs again can keep \p V, in arrays over loops of
  /// known count.
  bool canKeep(PlanValue V) const;
  /// The iteration that runs again may do without \p V, which the augmented
  /// half keeps otherwise: it can keep it, or compute what it is a copy of, or
  /// fill the memory that it is computed from.
  bool takesPlaceOf(PlanValue V) const;
  /// What runs again so that \p Kept are computed, and that \p Found, loads,
  /// find what they have read. \p Need is told of each value that this begins
  /// with.
  Rerun toCompute(llvm::ArrayRef<const llvm::Value *> Kept,
                  llvm::ArrayRef<const llvm::Value *> Found,
                  llvm::function_ref<void(const llvm::Value *)> Need) const;

private:
  bool isInside(const llvm::Value *V) const;
  bool isInput(const llvm::Instruction &I) const;
  bool isRepeated(const llvm::Value *V) const;
  bool areOperandsRepeated(const llvm::Instruction &I) const;
  bool canRunItself(const llvm::Instruction &I) const;
  const llvm::Value *insteadOf(const llvm::Instruction &I) const;
  bool canRun(const llvm::Instruction &I) const;
  bool isReadAgain(const llvm::Instruction &Reader, const llvm::Value *Pointer,
                   bool Survives) const;
  const llvm::Value *scratchBehind(const llvm::Value *Pointer) const;
  llvm::ArrayRef<const llvm::Instruction *>
  writersBefore(const llvm::Instruction &Reader,
                const llvm::Value *Pointer) const;
  const SharedFill *fillFor(const llvm::Value *Load) const;
  void findWhatReadsFills();
  void refuseWhatDiffers();
  bool refuse(const llvm::Instruction &I);

  const Facts &F;
  const LoopRecord &L;
  /// The blocks of the loop that the reverse pass visits, in program order.
  llvm::SmallVector<const llvm::BasicBlock *, 16> Blocks;
  llvm::MapVector<const llvm::Value *, ScratchObject> Variables;
  /// By reader of one of them; found when they are asked for.
  mutable llvm::DenseMap<const llvm::Instruction *,
                         llvm::SmallVector<const llvm::Instruction *, 4>>
      Sources;
  /// Readers and writers that may still be compared for that.
  mutable size_t Pairs = 4096;
  SharedFills Fills;
  llvm::DenseSet<const llvm::Instruction *> Filling; // stores of all of them
  /// What may be computed from what stands there.
  llvm::DenseSet<const llvm::Value *> ReadsFills;
  llvm::DenseSet<const llvm::Instruction *> Refused;
  bool Possible = false;
};

} // namespace adze
#endif
