// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy on which Prepare works. The user's function stays as it is: it may
// be called by others, and the compiler goes on to optimize it.
#include "Prepare/Stages.h"
#include "adze/ExceptionShadows.h"
#include "adze/Exceptions.h"
#include "adze/Primal.h"
#include "adze/Teams.h"
#include "adze/WordMoves.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

/// A copy of \p F beside it, as CloneFunction makes it but for the debug
/// information: that is shared. CloneFunction would look at all that is
/// reachable from it (every type of the program, for a method) for each clone.
static Function *copyOf(Function &F, ValueToValueMapTy &Map) {
  constexpr RemapFlags Flags = RF_NoModuleLevelChanges;
  Function *Copy =
      Function::Create(F.getFunctionType(), F.getLinkage(), F.getAddressSpace(),
                       "adze.primal." + F.getName(), F.getParent());
  Copy->setIsNewDbgInfoFormat(F.IsNewDbgInfoFormat);
  Copy->copyAttributesFrom(&F);
  Copy->copyMetadata(&F, 0);
  for (auto [Old, New] : zip(F.args(), Copy->args())) {
    New.setName(Old.getName());
    Map[&Old] = &New;
  }
  for (BasicBlock &B : F) {
    Map[&B] = CloneBasicBlock(&B, Map, "", Copy);
    // The address of a label stays that of the user's function, with whose
    // blocks the clone's indirect branches are compared (see lowerControl): a
    // table of labels in a global variable is not cloned.
    if (B.hasAddressTaken())
      Map[BlockAddress::get(&F, &B)] = BlockAddress::get(&F, &B);
  }
  for (Instruction &I : instructions(Copy)) {
    RemapDbgRecordRange(F.getParent(), I.getDbgRecordRange(), Map, Flags);
    RemapInstruction(&I, Map, Flags);
  }
  return Copy;
}

Function *clonePrimal(Function &F) {
  ValueToValueMapTy Map;
  Function *Clone = copyOf(F, Map);
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
  return Clone;
}

const Instruction *findUnpreparable(const Function &F, std::string &Reason) {
  if (F.isPresplitCoroutine()) {
    Reason = "a coroutine that is not split yet";
    return &*instructions(F).begin();
  }
  // Zeroing a byte of an adjoint that was read, and adding it elsewhere, would
  // look like a float that is cut.
  if (F.hasFnAttribute(AddsPartsOfFloats) && !isWordMove(F)) {
    Reason = "a float that is moved in parts, in a gradient that is "
             "differentiated again";
    return &*instructions(F).begin();
  }
  for (const Instruction &I : instructions(F)) {
    if (isa<CallBrInst>(I)) {
      Reason = "asm goto";
      return &I;
    }
    // The threads have the tapes, or the tangents, by an address of their own.
    if (auto *Call = dyn_cast<CallBase>(&I); Call && teams::isRun(*Call)) {
      Reason =
          "a parallel region, in a derivative that is differentiated again";
      return &I;
    }
    // Where an exception lies tells nothing of the shadow of its shadow.
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && exceptions::isOfShadows(*Call)) {
      Reason = "an exception that holds active data, in a derivative that is "
               "differentiated again";
      return &I;
    }
  }
  return nullptr;
}

const CallBase *findReturningTwice(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->hasFnAttr(Attribute::ReturnsTwice))
      return Call;
  return nullptr;
}

} // namespace adze
