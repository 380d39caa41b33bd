// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AddressDual.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

static bool isSeenAsAddress(const Value &V, const Facts &F) {
  if (auto *A = dyn_cast<Argument>(&V))
    if (A->getArgNo() < F.R.ArgumentFlags.size() &&
        (F.R.ArgumentFlags[A->getArgNo()] & IsHandle))
      return true;
  return F.Types->valueLayout(&V).has(ConcreteType::Pointer);
}

AddressDual addressDualOf(const Value &V, const Facts &F) {
  constexpr unsigned MaxParts = 16;
  bool Exact = false, Chance = false;
  SmallSetVector<const Value *, 8> Parts;
  Parts.insert(&V);
  for (unsigned N = 0; N < Parts.size(); ++N) {
    const Value *Part = Parts[N];
    if (isSeenAsAddress(*Part, F)) {
      Exact = true;
      continue;
    }
    if (N == MaxParts || isa<Argument>(Part))
      return AddressDual::Unclear;
    auto *I = dyn_cast<Instruction>(Part);
    if (!I || !(I->isBinaryOp() || isa<PHINode, SelectInst>(I))) {
      Chance = true;
      continue;
    }
    for (const Value *Op : I->operand_values())
      if (Op->getType() == I->getType() && F.hasShadow(Op))
        Parts.insert(Op);
  }
  return !Chance ? AddressDual::Exact
         : Exact ? AddressDual::Unclear
                 : AddressDual::Chance;
}

} // namespace adze
