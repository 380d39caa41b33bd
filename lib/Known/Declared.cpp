// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program declares of its own functions and variables.
#include "adze/KnownFunction.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

static const Function *calledBy(const CallBase &Call) {
  return dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
}

bool adze::isDeclaredInactive(const Function &F) {
  return F.hasFnAttribute(declared::Inactive);
}

bool adze::isDeclaredInactive(const CallBase &Call) {
  if (Call.getAttributes().hasFnAttr(declared::Inactive))
    return true;
  const Function *F = calledBy(Call);
  return F && isDeclaredInactive(*F);
}

bool adze::isDeclaredInactive(const Argument &A) {
  return A.getParent()->getAttributes().hasParamAttr(A.getArgNo(),
                                                     declared::Inactive);
}

bool adze::isDeclaredInactive(const CallBase &Call, unsigned I) {
  if (Call.getAttributes().hasParamAttr(I, declared::Inactive))
    return true;
  const Function *F = calledBy(Call);
  return F && I < F->arg_size() && isDeclaredInactive(*F->getArg(I));
}

bool adze::isDeclaredInactive(const GlobalVariable &G) {
  return G.hasMetadata(declared::InactiveGlobal);
}
