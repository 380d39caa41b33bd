// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a function for -adze-check: it does what the function does, and
// asks at each access to memory that is not its own where that memory is (see
// ProbeRuntime.c). Memory is told apart by the argument or global variable from
// which the address is calculated, or by the place there where it was found.
#ifndef ADZE_CHECK_PROBEPRIMAL_H
#define ADZE_CHECK_PROBEPRIMAL_H

#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace llvm {
class Value;
} // namespace llvm

namespace adze {

/// One block of memory, as far as the code tells it from others.
struct ProbeRegion {
  /// The argument of the original function, or the global variable, that leads
  /// there.
  llvm::Value *Root = nullptr;
  /// If not by its own address: by the pointer at this byte of another region.
  int Parent = -1;
  uint64_t Offset = 0;
};

struct ProbePrimal {
  /// The parameters of the function, then the state (ptr); null if WhyNot.
  llvm::Function *F = nullptr;
  /// What the numbers given to adze_probe_at mean. Parents come first.
  std::vector<ProbeRegion> Regions;
  /// Computes in a precision below double.
  bool IsSingle = false;
  /// Reads memory behind pointers that it finds anywhere else, which is the
  /// same in all runs.
  bool FollowsPointers = false;
  /// Why there can be none, or "".
  std::string WhyNot;
};

ProbePrimal makeProbePrimal(llvm::Function &Primal,
                            llvm::FunctionAnalysisManager &FAM);

} // namespace adze
#endif
