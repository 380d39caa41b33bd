// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/PinTags.h"

#include "Frontend/Names.h"
#include "Frontend/SplitParameters.h"
#include "Plugin/DeferToLink.h"
#include "adze/Annotations.h"
#include "adze/Checkpoints.h"
#include "adze/Marker.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// The tag variable that \p Operand loads, if the optimizer could see that
/// nobody writes it; null otherwise.
GlobalVariable *loadedPrivateTag(Value *Operand) {
  auto *Load = dyn_cast<LoadInst>(Operand);
  if (!Load)
    return nullptr;
  auto *Variable =
      dyn_cast<GlobalVariable>(Load->getPointerOperand()->stripPointerCasts());
  if (!Variable || !Variable->hasLocalLinkage())
    return nullptr;
  StringRef Name;
  return adze::tagOf(Variable, Name) != adze::Tag::None ? Variable : nullptr;
}

/// Makes operand \p I of \p Call the variable \p Tag itself. Only variadic
/// operands may change their type; others have to be integers.
bool pin(CallBase &Call, unsigned I, GlobalVariable &Tag) {
  Type *Ty = Call.getArgOperand(I)->getType();
  if (I < Call.getFunctionType()->getNumParams()) {
    if (!Ty->isIntegerTy())
      return false;
    Call.setArgOperand(I, ConstantExpr::getPtrToInt(&Tag, Ty));
    return true;
  }
  Call.setArgOperand(I, &Tag);
  // `signext` of an integer says nothing of a pointer.
  Call.removeParamAttrs(I, AttributeFuncs::typeIncompatible(Tag.getType()));
  return true;
}

} // namespace

PreservedAnalyses adze::PinTagsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = lowerBatches(M, /*Diags=*/nullptr);
  for (CallBase *Call : findMarkers(M)) {
    // Calls of one marker in two branches would become one, for a function that
    // depends on the branch.
    Changed |= !Call->cannotMerge();
    Call->addFnAttr(Attribute::NoMerge);
    for (unsigned I = 0; I < Call->arg_size(); ++I)
      if (GlobalVariable *Tag = loadedPrivateTag(Call->getArgOperand(I)))
        Changed |= pin(*Call, I, *Tag);
  }
  if (hasMarkers(M))
    for (Function &F : M)
      Changed |= noteSplitParameters(F);
  Changed |= checkpoints::describeMarkers(M);
  // A link may bring markers to a module that has none.
  Changed |= pinAnnotated(M, /*Always=*/goesIntoFullLink(M));
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
