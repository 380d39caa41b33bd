// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alias analysis of one canonical primal, self-contained: the primal never
// changes, so answers are cached for good.
//
// LLVM's queries compare two pointers at one moment. An overwrite lies between
// two moments: in a loop the same SSA value stands for different addresses at
// the read and at the write. Cross-iteration mode compares under that premise.
// Scoped noalias metadata is left out there: a scope that was inlined into a
// loop body promises nothing about two iterations. And phis and selects are
// resolved here: BasicAA compares two phis of one block edge by edge even in
// that mode, which is wrong for buffers that a loop swaps.
#ifndef ADZE_ANALYSIS_MEMORY_FUNCTIONALIAS_H
#define ADZE_ANALYSIS_MEMORY_FUNCTIONALIAS_H

#include "adze/Primal.h"
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

class FunctionAlias {
public:
  explicit FunctionAlias(const Primal &P)
      : TLIImpl(llvm::Triple(P.F->getParent()->getTargetTriple())),
        TLI(TLIImpl, P.F), AC(*P.F),
        Basic(P.F->getParent()->getDataLayout(), *P.F, TLI, AC, P.DT.get()),
        PlainResults(TLI), CrossResults(TLI), Types(TLI),
        Plain(PlainResults, &Captures), Cross(CrossResults, &Captures) {
    PlainResults.addAAResult(Basic);
    PlainResults.addAAResult(Scoped);
    PlainResults.addAAResult(Typed);
    CrossResults.addAAResult(Basic);
    CrossResults.addAAResult(Typed);
    Types.addAAResult(Typed);
    Cross.enableCrossIterationMode();
  }
  FunctionAlias(const FunctionAlias &) = delete;
  FunctionAlias &operator=(const FunctionAlias &) = delete;

private:
  llvm::TargetLibraryInfoImpl TLIImpl;

public:
  llvm::TargetLibraryInfo TLI;

private:
  llvm::AssumptionCache AC;
  llvm::BasicAAResult Basic;
  llvm::TypeBasedAAResult Typed;
  llvm::ScopedNoAliasAAResult Scoped;
  llvm::AAResults PlainResults, CrossResults, Types;
  PatientCaptureInfo Captures;

  llvm::BatchAAResults Plain, Cross;

public:
  /// How far apart in time two accesses may be.
  enum Times {
    SameTime,     // under the same values of all variables
    AnyIterations // in different iterations of loops
  };

  bool mayAlias(const llvm::MemoryLocation &A, const llvm::MemoryLocation &B,
                Times T);
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
  bool operandMayAlias(const llvm::CallBase &Call,
                       const llvm::MemoryLocation &Loc);
};

} // namespace adze
#endif
