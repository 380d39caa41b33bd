// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alias analysis of one canonical primal, self-contained. While it is asked,
// instructions may be added to the primal, but none changes, so that answers
// are kept for good.
//
// LLVM's queries compare two pointers at one moment. An overwrite lies between
// two moments: in a loop the same SSA value stands for different addresses at
// the read and at the write. Cross-iteration mode compares under that premise.
// Two things are decided here:
//   * Phis and selects that are not the same in the two iterations are
//     resolved: BasicAA compares two phis of one block edge by edge even in
//     that mode, which is wrong for buffers that a loop swaps.
//   * Promises of restrict (scoped noalias metadata) hold if they were made in
//     front of the loop, or, for any two times, outside all loops: one that was
//     inlined into a loop's body says nothing of two iterations.
#ifndef ADZE_LIB_LOOPS_LOOPALIAS_H
#define ADZE_LIB_LOOPS_LOOPALIAS_H

#include "adze/Primal.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace adze {

/// How far apart in time two accesses may be.
class Times {
public:
  /// Under the same values of all variables.
  static Times same() { return {nullptr, false}; }
  /// In any two iterations of \p L, in one run of it.
  static Times in(const llvm::Loop &L) { return {&L, true}; }
  /// In any two iterations of all loops.
  static Times any() { return {nullptr, true}; }

  bool areSame() const { return !Differ; }
  const llvm::Loop *within() const { return L; }
  /// \p I may have two values at the two times.
  bool mayVary(const llvm::Instruction &I) const {
    return Differ && (!L || L->contains(&I));
  }

private:
  Times(const llvm::Loop *L, bool Differ) : L(L), Differ(Differ) {}
  const llvm::Loop *L;
  bool Differ;
};

/// What LLVM's own SimpleCaptureInfo says, but looks at more than a hundred
/// uses: an array has many where a loop is unrolled, or functions inlined. A
/// noalias argument that is not captured is not what a loaded pointer is.
class PatientCaptureInfo final : public llvm::CaptureInfo {
public:
  bool isNotCapturedBefore(const llvm::Value *Object, const llvm::Instruction *,
                           bool OrAt) override;

private:
  llvm::DenseMap<const llvm::Value *, bool> Known;
};

/// Behind \p Budget questions every answer is "may".
class LoopAlias {
public:
  LoopAlias(const Primal &P, unsigned Budget);
  LoopAlias(const LoopAlias &) = delete;
  LoopAlias &operator=(const LoopAlias &) = delete;

  /// The questions count anew.
  void refill(unsigned NewBudget) {
    Budget = NewBudget;
    Questions = 0;
  }

  bool mayAlias(const llvm::MemoryLocation &A, const llvm::MemoryLocation &B,
                Times T) {
    return mayAlias(A, B, T, /*Depth=*/0);
  }
  /// \p Call may access \p Loc in one of the ways \p How.
  bool mayAccess(const llvm::CallBase &Call, const llvm::MemoryLocation &Loc,
                 llvm::ModRefInfo How, Times T);
  /// \p Call may access what \p Writer modifies in one of the ways \p How.
  bool mayAccess(const llvm::CallBase &Call, const llvm::CallBase &Writer,
                 llvm::ModRefInfo How, Times T);
  /// Nobody may modify \p Loc.
  bool isConstant(const llvm::MemoryLocation &Loc) {
    return !llvm::isModSet(Cross.getModRefInfoMask(Loc));
  }

private:
  llvm::TargetLibraryInfoImpl TLIImpl;

public:
  llvm::TargetLibraryInfo TLI;
  llvm::AssumptionCache AC;

private:
  using ScopeSet = llvm::SmallPtrSet<const llvm::Metadata *, 8>;

  const ScopeSet &promisedBefore(const llvm::Loop *L);
  llvm::AAMDNodes promises(const llvm::AAMDNodes &Tags, const llvm::Loop *L);
  bool mayAlias(const llvm::MemoryLocation &A, const llvm::MemoryLocation &B,
                Times T, unsigned Depth);
  using ValuePair = std::pair<const llvm::Value *, const llvm::Value *>;
  bool haveOtherObjects(const llvm::Value *A, const llvm::Value *B);
  bool differOnEachEdge(const llvm::Value *A, const llvm::Value *B,
                        llvm::SmallVectorImpl<ValuePair> &Assumed);
  bool leadElsewhere(const llvm::Value *A, const llvm::Value *B);
  bool areApart(const llvm::Value *A, const llvm::Value *B, Times T);
  bool mayShareBlock(const llvm::Value *A, const llvm::Value *B,
                     unsigned Depth);
  bool operandMayAlias(const llvm::CallBase &Call,
                       const llvm::MemoryLocation &Loc, llvm::ModRefInfo How,
                       Times T);
  bool isExhausted() { return ++Questions > Budget; }

  const Primal &P;
  llvm::BasicAAResult Basic;
  llvm::TypeBasedAAResult Typed;
  llvm::ScopedNoAliasAAResult Scoped;
  llvm::AAResults PlainResults, CrossResults, Types, Promises;
  PatientCaptureInfo Captures;
  llvm::BatchAAResults Plain, Cross;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<ScopeSet>> Promised;
  unsigned Budget, Questions = 0;
};

} // namespace adze
#endif
