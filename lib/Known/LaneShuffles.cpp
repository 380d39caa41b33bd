// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/LaneShuffles.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::shuffles {

static FunctionCallee declare(Module &M, StringRef Prefix, Type *Ty,
                              bool Alike) {
  LLVMContext &Ctx = M.getContext();
  Type *Number = Type::getInt32Ty(Ctx);
  SmallVector<Type *, 6> Params{Ty, Number, Number, Number, Number};
  if (Alike)
    Params.push_back(Type::getInt1Ty(Ctx));
  const std::string Name = (Prefix + (Ty->isIntegerTy() ? "i" : "f") +
                            Twine(Ty->getPrimitiveSizeInBits().getFixedValue()))
                               .str();
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Ty, Params, false));
  // What it gives depends on the lanes that come there together.
  auto *F = cast<Function>(Callee.getCallee());
  F->setConvergent();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setOnlyAccessesInaccessibleMemory();
  return Callee;
}

FunctionCallee function(Module &M, Type *Ty) {
  return declare(M, Prefix, Ty, /*Alike=*/false);
}

FunctionCallee back(Module &M, Type *Ty) {
  return declare(M, BackPrefix, Ty, /*Alike=*/true);
}

} // namespace adze::shuffles
