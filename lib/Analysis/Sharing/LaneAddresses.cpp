// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Sharing/LaneAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace adze {

/// What a call gives depends on the thread.
static bool tellsThreadsApart(const CallBase &Call) {
  auto *I = dyn_cast<IntrinsicInst>(&Call);
  if (!I || I->isConvergent())
    return true;
  switch (I->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
  case Intrinsic::amdgcn_workitem_id_x:
  case Intrinsic::amdgcn_mbcnt_lo:
  case Intrinsic::amdgcn_mbcnt_hi:
    return true;
  default:
    return !I->doesNotAccessMemory();
  }
}

bool LaneAddresses::areLikelyAlike(const Value &V, unsigned Depth) {
  constexpr unsigned MaxDepth = 32;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return true;
  if (Depth == MaxDepth)
    return false;
  // A cycle of a loop is what else comes into it.
  auto [It, New] = Known.try_emplace(&V, true);
  if (!New)
    return It->second;
  auto *Call = dyn_cast<CallBase>(I);
  const bool Alike =
      !I->isAtomic() && !isa<AllocaInst>(I) &&
      !(Call && tellsThreadsApart(*Call)) &&
      all_of(I->operands(), [&](const Use &Op) {
        return isa<BasicBlock>(Op) || areLikelyAlike(*Op, Depth + 1);
      });
  return Known[&V] = Alike;
}

} // namespace adze
