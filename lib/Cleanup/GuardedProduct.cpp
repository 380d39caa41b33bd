// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuardedProduct.h"
#include "adze/GuardedProduct.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

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

Value *productUnderGuard(Value *V) {
  Value *Kept, *Product;
  bool IsGuard =
      keepsZero(V, Kept, Product) && hasFactor(Product, withoutSign(Kept));
  return IsGuard ? Product : nullptr;
}

} // namespace adze
