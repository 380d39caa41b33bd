// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The analysis managers of LLVM's passes, for tests that run some.
#ifndef ADZE_TEST_UNIT_MANAGERS_H
#define ADZE_TEST_UNIT_MANAGERS_H

#include "llvm/Passes/PassBuilder.h"

struct Managers {
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassBuilder PB;

  Managers() {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
};

#endif // ADZE_TEST_UNIT_MANAGERS_H
