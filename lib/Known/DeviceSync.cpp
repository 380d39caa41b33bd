// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

static const Function *intrinsicOf(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isIntrinsic() ? Callee : nullptr;
}

Meeting meetingOf(const Instruction &I) {
  const Function *Callee = intrinsicOf(I);
  const KnownFunction *Known =
      Callee ? lookupKnown(cast<CallBase>(I)) : nullptr;
  if (!Known || Known->Facts.By != Derivation::Mirror)
    return Meeting::None;
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::nvvm_bar_warp_sync:
  case Intrinsic::amdgcn_wave_barrier:
    return Meeting::Warp;
  default:
    return Meeting::Block;
  }
}

bool isBarrierOfAll(const Instruction &I) {
  const Function *Callee = intrinsicOf(I);
  switch (Callee ? Callee->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_barrier0:
  case Intrinsic::nvvm_barrier0_popc:
  case Intrinsic::nvvm_barrier0_and:
  case Intrinsic::nvvm_barrier0_or:
  case Intrinsic::amdgcn_s_barrier:
    return true;
  case Intrinsic::nvvm_barrier_n:
  case Intrinsic::nvvm_bar_sync:
  case Intrinsic::nvvm_barrier_sync: {
    auto *Number = dyn_cast<ConstantInt>(I.getOperand(0));
    return Number && Number->isZero();
  }
  default:
    return false;
  }
}

/// HIP's __syncthreads has fences beside the barrier, which alone orders
/// nothing.
void createBarrierOfAll(IRBuilderBase &B) {
  const Module &M = *B.GetInsertBlock()->getModule();
  if (Triple(M.getTargetTriple()).isNVPTX()) {
    B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
    return;
  }
  const SyncScope::ID Block =
      B.getContext().getOrInsertSyncScopeID("workgroup");
  B.CreateFence(AtomicOrdering::Release, Block);
  B.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {}, {});
  B.CreateFence(AtomicOrdering::Acquire, Block);
}

bool isUnknownExchange(const Instruction &I) {
  // Clang calls functions of the program convergent, too: it does not know
  // better. Of intrinsics it is a fact.
  const Function *Callee = intrinsicOf(I);
  return Callee && Callee->isConvergent() && isDevice(*Callee->getParent()) &&
         !lookupKnown(cast<CallBase>(I));
}

/// A fence of NVIDIA's.
static bool isMemoryBarrier(const Instruction &I) {
  const Function *Callee = intrinsicOf(I);
  if (!Callee)
    return false;
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::nvvm_membar_cta:
  case Intrinsic::nvvm_membar_gl:
  case Intrinsic::nvvm_membar_sys:
  case Intrinsic::nvvm_fence_sc_cluster:
    return true;
  default:
    return false;
  }
}

/// It is for the threads of a block alone.
static bool isOfBlock(const Instruction &I) {
  auto *Fence = dyn_cast<FenceInst>(&I);
  if (!Fence)
    return intrinsicOf(I)->getIntrinsicID() == Intrinsic::nvvm_membar_cta;
  SmallVector<StringRef, 8> Names;
  I.getContext().getSyncScopeNames(Names);
  StringRef Scope = Names[Fence->getSyncScopeID()];
  return Scope.starts_with("workgroup") || Scope.starts_with("wavefront") ||
         Scope.starts_with("singlethread");
}

bool isLoneFence(const Instruction &I) {
  if (!isa<FenceInst>(I) && !isMemoryBarrier(I))
    return false;
  if (!isOfBlock(I))
    return true;
  auto leadsToBarrier = [&](auto Next) {
    const Instruction *At = &I;
    do
      At = Next(*At);
    while (At && (isa<FenceInst>(At) || At->isDebugOrPseudoInst()));
    return At && meetingOf(*At) == Meeting::Block;
  };
  return !leadsToBarrier([](auto &At) { return At.getNextNode(); }) &&
         !leadsToBarrier([](auto &At) { return At.getPrevNode(); });
}

bool isRelaxedChange(const AtomicRMWInst &I) {
  return I.getOperation() != AtomicRMWInst::Xchg &&
         I.getType()->isIntegerTy() && isDevice(*I.getModule());
}

bool isRelaxedSum(const AtomicRMWInst &Sum) {
  return (Sum.getOperation() == AtomicRMWInst::FAdd ||
          Sum.getOperation() == AtomicRMWInst::FSub) &&
         Sum.use_empty() && isDevice(*Sum.getModule());
}

} // namespace adze
