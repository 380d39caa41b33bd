// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/GuardedProduct.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

// The table of known functions (KnownTable.cpp) has the first of them.
static constexpr StringLiteral Prefix = "adze.product.";
static constexpr StringLiteral BothPrefix = "adze.product.both.";

std::optional<KeptZeros> keptZeros(const Function &F) {
  if (!F.isDeclaration() || !F.getName().starts_with(Prefix))
    return std::nullopt;
  Type *Ty = F.getReturnType();
  if (!Ty->isFPOrFPVectorTy() ||
      F.getFunctionType() != FunctionType::get(Ty, {Ty, Ty}, false))
    return std::nullopt;
  return F.getName().starts_with(BothPrefix) ? KeptZeros::OfBoth
                                             : KeptZeros::OfSecond;
}

bool isGuardedProduct(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() &&
         keptZeros(*Call->getCalledFunction());
}

/// One function for each type: a name such as adze.product.4xdouble.
static Function *declare(Module &M, Type *Ty, KeptZeros Kept) {
  std::string Name = (Kept == KeptZeros::OfBoth ? BothPrefix : Prefix).str();
  raw_string_ostream OS(Name);
  if (auto *Vector = dyn_cast<VectorType>(Ty)) {
    Vector->getElementCount().print(OS);
    OS << 'x';
  }
  Ty->getScalarType()->print(OS);
  // (A program may have something of that name.)
  while (GlobalValue *Existing = M.getNamedValue(Name)) {
    auto *F = dyn_cast<Function>(Existing);
    if (F && keptZeros(*F) && F->getReturnType() == Ty)
      return F;
    OS << '.';
  }
  auto *F = Function::Create(FunctionType::get(Ty, {Ty, Ty}, false),
                             GlobalValue::ExternalLinkage, Name, M);
  F->setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
        Attribute::NoSync, Attribute::NoCallback, Attribute::Speculatable})
    F->addFnAttr(Kind);
  // To LLVM's inliner: three instructions.
  F->addFnAttr("call-inline-cost", "15");
  return F;
}

Value *guardedProduct(IRBuilderBase &B, Value *First, Value *Second,
                      KeptZeros Kept) {
  FastMathFlags Flags = B.getFastMathFlags();
  IRBuilderBase::FastMathFlagGuard KeepFlags(B);
  // Regrouped, a choice could not be told from a branch of the program.
  Flags.setAllowReassoc(false);
  B.setFastMathFlags(Flags);
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(declare(M, First->getType(), Kept), {First, Second});
}

} // namespace adze
