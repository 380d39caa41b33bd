// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alias analysis of one canonical primal, self-contained: the primal never
// changes, so answers are cached for good.
//
// LLVM's queries compare two pointers at one moment. An overwrite lies between
// two moments: in a loop the same SSA value stands for different addresses at
// the read and at the write. Cross-iteration mode compares under that premise.
// Scoped noalias metadata is left out there: a scope that was inlined into a
// loop body promises nothing about two iterations.
#ifndef ADZE_ANALYSIS_MEMORY_FUNCTIONALIAS_H
#define ADZE_ANALYSIS_MEMORY_FUNCTIONALIAS_H

#include "adze/Primal.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace adze {

class FunctionAlias {
public:
  explicit FunctionAlias(const Primal &P)
      : TLIImpl(llvm::Triple(P.F->getParent()->getTargetTriple())),
        TLI(TLIImpl, P.F), AC(*P.F),
        Basic(P.F->getParent()->getDataLayout(), *P.F, TLI, AC, P.DT.get()),
        PlainResults(TLI), CrossResults(TLI), Plain(PlainResults),
        Cross(CrossResults) {
    PlainResults.addAAResult(Basic);
    PlainResults.addAAResult(Scoped);
    PlainResults.addAAResult(Typed);
    CrossResults.addAAResult(Basic);
    CrossResults.addAAResult(Typed);
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
  llvm::AAResults PlainResults, CrossResults;

public:
  /// Both accesses happen under the same values of all variables.
  llvm::BatchAAResults Plain;
  /// They may happen in different iterations of loops.
  llvm::BatchAAResults Cross;
};

} // namespace adze
#endif
