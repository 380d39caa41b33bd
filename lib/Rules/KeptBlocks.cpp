// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KeptBlocks.h"
#include "BlockFunctions.h"
#include "Ownership.h"
#include "adze/Runtime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

bool holdsPointers(Type *Ty) {
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return holdsPointers(A->getElementType());
  return Ty->isPtrOrPtrVectorTy() || any_of(Ty->subtypes(), holdsPointers);
}

/// Some variable of the program may hold a pointer.
bool hasPointerVariables(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) {
    StringRef Name = G.getName();
    return !G.isConstant() && !G.isDeclaration() &&
           !Name.starts_with("adze.") && !Name.starts_with("llvm.") &&
           holdsPointers(G.getValueType());
  });
}

/// What zeroes the floats of such a block; null where types do not tell all.
Constant *clearingOf(const CallBase &Allocation, EmitContext &C) {
  Constant *None = ConstantPointerNull::get(C.B.getPtrTy());
  if (!Allocation.getType()->isPointerTy())
    return None;
  BlockLayout Layout = C.facts().Types->memoryLayout(&Allocation, UINT64_MAX);
  if (Layout.has(ConcreteType::Unknown) || !Layout.has(ConcreteType::Float))
    return None;
  return blockFunction(C.module(), BlockOp::Clear, Layout);
}

} // namespace

void listShadowBlock(EmitContext &C, Value *Block, Value *Bytes,
                     const CallBase &Allocation) {
  if (!hasPointerVariables(C.module()) ||
      (Allocation.getType()->isPointerTy() && ownershipOf(Allocation).Owned))
    return;
  C.B.CreateCall(runtimeFunction(C.module(), KeptBlocksUnit, "adze.kept.add"),
                 {Block, Bytes, clearingOf(Allocation, C)});
}

void unlistShadowBlock(EmitContext &C, Value *Block) {
  if (hasPointerVariables(C.module()))
    C.B.CreateCall(runtimeFunction(C.module(), KeptBlocksUnit, "adze.kept.end"),
                   {Block});
}

} // namespace adze
