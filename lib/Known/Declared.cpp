// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program declares of its own functions and variables.
#include "adze/KnownFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"

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
  // To ask for a kind of metadata is to register it, and bitcode lists them: a
  // module without any must not change.
  if (!G.hasMetadata())
    return false;
  SmallVector<StringRef, 64> Kinds;
  G.getContext().getMDKindNames(Kinds);
  return is_contained(Kinds, declared::InactiveGlobal) &&
         G.hasMetadata(declared::InactiveGlobal);
}
