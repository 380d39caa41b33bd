// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps that look at memory in loops share, made when the loops have
// their counters. Such a step adds instructions and changes none, so that what
// the analyses remember of the others stays true. Each has alias results of its
// own: not all of them may take promises of one place for another.
#ifndef ADZE_LIB_PREPARE_LOOPMEMORY_H
#define ADZE_LIB_PREPARE_LOOPMEMORY_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Function.h"

namespace adze {

struct LoopMemory {
  LoopMemory(llvm::Function &F, llvm::TargetLibraryInfo &TLI,
             llvm::DominatorTree &DT, llvm::LoopInfo &LI)
      : DL(F.getDataLayout()), TLI(TLI), AC(F), SE(F, TLI, AC, DT, LI),
        Basic(DL, F, TLI, AC, &DT) {}

  const llvm::DataLayout &DL;
  llvm::TargetLibraryInfo &TLI;
  llvm::AssumptionCache AC;
  llvm::ScalarEvolution SE;
  llvm::BasicAAResult Basic;
  llvm::TypeBasedAAResult Typed;
};

} // namespace adze
#endif
