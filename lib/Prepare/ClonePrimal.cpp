// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy on which Prepare works. The user's function stays as it is: it may
// be called by others, and the compiler goes on to optimize it.
#include "Prepare/Stages.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

Function *clonePrimal(Function &F) {
  ValueToValueMapTy Map;
  Function *Clone = CloneFunction(&F, Map);
  Clone->setName("adze.primal." + F.getName());
  Clone->setComdat(nullptr);
  Clone->setSection("");
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Clone->setLinkage(GlobalValue::InternalLinkage);
  if (Clone->hasPrefixData())
    Clone->setPrefixData(nullptr);
  if (Clone->hasPrologueData())
    Clone->setPrologueData(nullptr);
  for (Attribute::AttrKind Kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
        Attribute::InlineHint, Attribute::Naked, Attribute::MinSize,
        Attribute::OptimizeForSize})
    Clone->removeFnAttr(Kind);
  // An assignment's identity belongs to one function; its copies in clone and
  // derivative would be tied to the variables of the user's function.
  at::deleteAll(Clone);

  // Addresses of labels are those of the user's function, whose blocks the
  // clone's indirect branches are compared with (see lowerControl): a table
  // of labels in a global variable was not cloned.
  for (BasicBlock &B : F) {
    if (!B.hasAddressTaken())
      continue;
    auto *Copy = cast<BasicBlock>(Map.lookup(&B));
    if (Copy->hasAddressTaken())
      BlockAddress::get(Clone, Copy)
          ->replaceAllUsesWith(BlockAddress::get(&F, &B));
  }
  return Clone;
}

const Instruction *findUnpreparable(const Function &F, std::string &Reason) {
  if (F.isPresplitCoroutine()) {
    Reason = "a coroutine that is not split yet";
    return &*instructions(F).begin();
  }
  for (const Instruction &I : instructions(F)) {
    if (isa<CallBrInst>(I)) {
      Reason = "asm goto";
      return &I;
    }
  }
  return nullptr;
}

} // namespace adze
