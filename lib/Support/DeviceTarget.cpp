// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/DeviceTarget.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

bool isDevice(const Triple &Target) {
  return Target.isNVPTX() || Target.isAMDGPU();
}

bool isDevice(const Module &M) { return isDevice(Triple(M.getTargetTriple())); }

unsigned lanesOf(const Module &M) {
  return Triple(M.getTargetTriple()).isNVPTX() ? 32 : 64;
}

bool isKernel(const Function &F) {
  if (F.getCallingConv() == CallingConv::PTX_Kernel ||
      F.getCallingConv() == CallingConv::AMDGPU_KERNEL)
    return true;
  // !{ptr @f, !"kernel", i32 1}
  const NamedMDNode *Notes =
      F.getParent()->getNamedMetadata("nvvm.annotations");
  return Notes && any_of(Notes->operands(), [&](const MDNode *Note) {
           if (Note->getNumOperands() < 2)
             return false;
           auto *Of = dyn_cast_or_null<ValueAsMetadata>(Note->getOperand(0));
           auto *What = dyn_cast_or_null<MDString>(Note->getOperand(1));
           return Of && Of->getValue() == &F && What &&
                  What->getString() == "kernel";
         });
}

Value *isMemoryOfThread(IRBuilderBase &B, Value *Pointer) {
  const Module &M = *B.GetInsertBlock()->getModule();
  return Triple(M.getTargetTriple()).isNVPTX()
             ? B.CreateIntrinsic(Intrinsic::nvvm_isspacep_local, {}, {Pointer})
             : B.CreateIntrinsic(Intrinsic::amdgcn_is_private, {}, {Pointer});
}

bool asksForMemoryOfThread(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee &&
         (Callee->getIntrinsicID() == Intrinsic::nvvm_isspacep_local ||
          Callee->getIntrinsicID() == Intrinsic::amdgcn_is_private);
}

bool isSharedVariable(const GlobalVariable &G) {
  constexpr unsigned Shared = 3; // of both targets
  return G.getAddressSpace() == Shared && isDevice(*G.getParent());
}

bool isDynamicShared(const GlobalVariable &G) {
  return G.isDeclaration() && isSharedVariable(G) &&
         Triple(G.getParent()->getTargetTriple()).isNVPTX();
}

bool isDeviceConstant(const GlobalVariable &G) {
  constexpr unsigned Constant = 4; // of both targets
  return G.getAddressSpace() == Constant && isDevice(*G.getParent());
}

} // namespace adze
