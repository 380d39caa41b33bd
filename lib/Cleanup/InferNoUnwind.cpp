// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Cleanup.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Functions that throw if another one does.
using Callers = DenseMap<const Function *, SmallVector<Function *, 4>>;

} // namespace

/// Whether \p F may throw even if no function of \p Ours does. Otherwise \p F
/// is noted for each of those that it calls.
static bool throwsByItself(Function &F, const SetVector<Function *> &Ours,
                           Callers &DependOn) {
  for (Instruction &I : instructions(F)) {
    if (!I.mayThrow())
      continue;
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Ours.contains(Callee))
      return true;
    DependOn[Callee].push_back(&F);
  }
  return false;
}

void inferNoUnwind(Module &M) {
  SetVector<Function *> Ours;
  for (Function &F : M)
    if (!F.isDeclaration() && F.hasLocalLinkage() &&
        F.getName().starts_with("adze.") && !F.doesNotThrow())
      Ours.insert(&F);
  Callers DependOn;
  SmallVector<Function *, 16> Throwing;
  SetVector<Function *> MayThrow;
  for (Function *F : Ours)
    if (throwsByItself(*F, Ours, DependOn))
      Throwing.push_back(F);
  while (!Throwing.empty()) {
    Function *F = Throwing.pop_back_val();
    if (MayThrow.insert(F))
      append_range(Throwing, DependOn.lookup(F));
  }
  for (Function *F : Ours)
    if (!MayThrow.contains(F))
      F->setDoesNotThrow();
}

} // namespace adze
