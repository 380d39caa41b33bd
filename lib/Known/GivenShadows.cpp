// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/GivenShadows.h"
#include "adze/DeviceTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace adze {

static constexpr char Metadata[] = "adze.shadow";

static bool holdsPointers(Type *Ty) {
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return holdsPointers(Array->getElementType());
  return Ty->isPtrOrPtrVectorTy() || any_of(Ty->subtypes(), holdsPointers);
}

GlobalVariable *givenShadow(const GlobalVariable &G) {
  const MDNode *Node = G.getMetadata(Metadata);
  auto *Of = Node && Node->getNumOperands() == 1
                 ? dyn_cast_or_null<ValueAsMetadata>(Node->getOperand(0))
                 : nullptr;
  return Of ? dyn_cast<GlobalVariable>(Of->getValue()) : nullptr;
}

std::optional<std::string> giveShadow(GlobalVariable &G,
                                      GlobalVariable &Shadow) {
  if (!isDevice(*G.getParent()))
    return "only variables of kernels have such shadows";
  if (G.getValueType() != Shadow.getValueType() || &G == &Shadow)
    return "they must be two variables of one type";
  if (holdsPointers(G.getValueType()))
    return "they hold pointers";
  if (G.isConstant() || isSharedVariable(G))
    return "only variables that the host may change have such shadows";
  if (Shadow.isConstant() || isSharedVariable(Shadow) ||
      isDeviceConstant(Shadow))
    return "the shadow must be a __device__ variable";
  G.setMetadata(Metadata,
                MDNode::get(G.getContext(), ValueAsMetadata::get(&Shadow)));
  return std::nullopt;
}

} // namespace adze
