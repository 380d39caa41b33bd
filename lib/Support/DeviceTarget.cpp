// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/DeviceTarget.h"

#include "llvm/IR/GlobalVariable.h"
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
