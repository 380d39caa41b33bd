// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/DeviceTarget.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

bool isDevice(const Triple &Target) {
  return Target.isNVPTX() || Target.isAMDGPU();
}

bool isDevice(const Module &M) { return isDevice(Triple(M.getTargetTriple())); }

bool isMeetingOnDevice(const Instruction &I) {
  // Clang calls functions of the program convergent, too: it does not know
  // better. Of intrinsics it is a fact.
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isIntrinsic() && Callee->isConvergent() &&
         isDevice(*Callee->getParent());
}

bool isRelaxedSum(const AtomicRMWInst &Sum) {
  return (Sum.getOperation() == AtomicRMWInst::FAdd ||
          Sum.getOperation() == AtomicRMWInst::FSub) &&
         Sum.use_empty() && isDevice(*Sum.getModule());
}

} // namespace adze
