// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/GuardedProduct.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

// The table of known functions (KnownTable.cpp) has the first of them.
static constexpr StringLiteral Prefix = "adze.product.";
static constexpr StringLiteral BothPrefix = "adze.product.both.";

static bool isProduct(const GlobalValue *V) {
  auto *F = dyn_cast_or_null<Function>(V);
  if (!F || !F->isDeclaration() || !F->getName().starts_with(Prefix))
    return false;
  Type *Ty = F->getReturnType();
  return Ty->isFPOrFPVectorTy() &&
         F->getFunctionType() == FunctionType::get(Ty, {Ty, Ty}, false);
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
  GlobalValue *Existing = nullptr;
  while (
      (Existing = M.getNamedValue(Name)) &&
      (!isProduct(Existing) || cast<Function>(Existing)->getReturnType() != Ty))
    OS << '.';
  if (Existing)
    return cast<Function>(Existing);
  auto *F = Function::Create(FunctionType::get(Ty, {Ty, Ty}, false),
                             GlobalValue::ExternalLinkage, Name, M);
  F->setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
        Attribute::NoSync, Attribute::NoCallback, Attribute::Speculatable})
    F->addFnAttr(Kind);
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

/// Zero or NaN: one flag of a scalar comparison, where `zero` takes two. Of
/// either the factor is the result.
static Value *keepZero(IRBuilderBase &B, Value *Factor, Value *Product) {
  Value *Zero = Constant::getNullValue(Factor->getType());
  return B.CreateSelect(B.CreateFCmpUEQ(Factor, Zero), Factor, Product);
}

Value *withoutSign(Value *V, bool *Negative) {
  Value *Negated;
  if (!match(V, m_FNeg(m_Value(Negated))))
    return V;
  if (Negative)
    *Negative = !*Negative;
  return Negated;
}

bool keepsZero(Value *V, Value *&Kept, Value *&Product) {
  FCmpInst::Predicate Predicate;
  Value *Compared;
  if (!match(V, m_Select(m_FCmp(Predicate, m_Value(Compared), m_AnyZeroFP()),
                         m_Value(Kept), m_Value(Product))))
    return false;
  if (Predicate == FCmpInst::FCMP_ONE)
    std::swap(Kept, Product);
  else if (Predicate != FCmpInst::FCMP_UEQ)
    return false;
  return withoutSign(Kept) == withoutSign(Compared);
}

static void write(CallInst &Call, KeptZeros Kept) {
  IRBuilder<> B(&Call);
  B.setFastMathFlags(Call.getFastMathFlags());
  Value *First = Call.getArgOperand(0), *Second = Call.getArgOperand(1);
  Value *Product = B.CreateFMul(First, Second);
  if (Kept == KeptZeros::OfBoth)
    Product = keepZero(B, First, Product);
  Product = keepZero(B, Second, Product);
  Product->takeName(&Call);
  Call.replaceAllUsesWith(Product);
  Call.eraseFromParent();
}

bool isGuardedProduct(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && isProduct(Call->getCalledFunction());
}

void writeGuardedProducts(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!isProduct(&F))
      continue;
    bool Both = F.getName().starts_with(BothPrefix);
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && isGuardedProduct(*Call))
        write(*Call, Both ? KeptZeros::OfBoth : KeptZeros::OfSecond);
    if (F.use_empty())
      F.eraseFromParent();
  }
}

} // namespace adze
