// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs to execute an instruction once more, in about the time of one
// addition.
#ifndef ADZE_PLAN_OPERATIONPRICES_H
#define ADZE_PLAN_OPERATIONPRICES_H

#include "llvm/Analysis/TargetTransformInfo.h"

namespace adze {

/// Arithmetic and intrinsics as LLVM's TargetTransformInfo has
/// them for the target (reciprocal throughput), library functions as their row
/// in Known says, functions of the program by what is in their body. Addresses,
/// conversions and moves within registers are free. Loads have
/// their price elsewhere (CacheCut.cpp): it is one of memory.
class OperationPrices {
public:
  /// \p Target may be null: then nothing is known but what all have in common.
  OperationPrices(const llvm::TargetTransformInfo *Target,
                  const llvm::DataLayout &DL, llvm::LLVMContext &Context);

  OperationPrices(const OperationPrices &) = delete;
  OperationPrices &operator=(const OperationPrices &) = delete;

  /// \p I may stand in no block.
  uint64_t of(const llvm::Instruction &I) const;

private:
  uint64_t ofCall(const llvm::CallBase &Call) const;
  uint64_t ofBody(const llvm::Function &F) const;
  uint64_t bounded(llvm::InstructionCost Cost, const llvm::Type *Ty) const;

  llvm::TargetTransformInfo Common;
  const llvm::TargetTransformInfo &TTI;
  int64_t Unit = 1; // what TTI says of the addition of two doubles
};

} // namespace adze
#endif
