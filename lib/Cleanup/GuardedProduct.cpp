// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuardedProduct.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

static Value *withoutSign(Value *V) {
  Value *Negated;
  return match(V, m_FNeg(m_Value(Negated))) ? Negated : V;
}

/// \p V is \p Factor times or by something.
static bool hasFactor(Value *V, const Value *Factor) {
  constexpr unsigned MaxFactors = 8;
  SmallVector<Value *, 8> Work(1, V);
  for (unsigned N = 0; N < MaxFactors && !Work.empty(); ++N) {
    Value *Part = withoutSign(Work.pop_back_val());
    if (Part == Factor)
      return true;
    auto *I = dyn_cast<Instruction>(Part);
    if (!I)
      continue;
    if (I->getOpcode() == Instruction::FMul)
      Work.append({I->getOperand(0), I->getOperand(1)});
    if (I->getOpcode() == Instruction::FDiv)
      Work.push_back(I->getOperand(0));
  }
  return false;
}

Value *guardedProduct(const Value *V) {
  FCmpInst::Predicate Predicate;
  Value *Dual, *Kept, *Product;
  if (!match(V, m_Select(m_FCmp(Predicate, m_Value(Dual), m_AnyZeroFP()),
                         m_Value(Kept), m_Value(Product))))
    return nullptr;
  if (Predicate == FCmpInst::FCMP_ONE)
    std::swap(Kept, Product);
  else if (Predicate != FCmpInst::FCMP_UEQ)
    return nullptr;
  Value *Factor = withoutSign(Kept);
  bool IsGuard = Factor == withoutSign(Dual) && hasFactor(Product, Factor);
  return IsGuard ? Product : nullptr;
}

} // namespace adze
