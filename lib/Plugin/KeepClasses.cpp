// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/KeepClasses.h"
#include "Plugin/SerialTwins.h"

#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/Marker.h"
#include "adze/ReachableConstants.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// String attribute of a function that is not inlined because of us.
constexpr char Kept[] = "adze.kept";

bool isOfKeptClass(const Function &F) {
  if (adze::hasBodyBesideHeader(F) || adze::isStdAsync(F) ||
      F.hasFnAttribute(adze::SerialTwin))
    return true;
  const adze::KnownFunction *Known = adze::lookupKnown(F);
  return Known &&
         (Known->Owns != adze::KnownFunction::OwnsNothing || Known->Template);
}

bool keep(Function &F) {
  // What must be inlined may have no symbol in the library. Such helpers are
  // called by other members alone.
  if (F.isDeclaration() || F.hasFnAttribute(Attribute::AlwaysInline) ||
      !isOfKeptClass(F))
    return false;
  if (F.hasAvailableExternallyLinkage()) {
    F.deleteBody();
    F.setComdat(nullptr);
    return true;
  }
  if (F.hasFnAttribute(Attribute::NoInline) ||
      F.hasFnAttribute(Attribute::NoDuplicate))
    return false;
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(Attribute::NoDuplicate); // nor specialized: that has other names
  F.addFnAttr(Kept);
  // Used otherwise than by calls, it keeps its type.
  if (F.hasLocalLinkage())
    appendToCompilerUsed(*F.getParent(), {&F});
  return true;
}

} // namespace

/// The functions whose addresses \p F takes, which it may hand on.
static void addAddresses(const Function &F,
                         SetVector<const Function *> &Roots) {
  for (const Instruction &I : instructions(F))
    for (const Use &Op : I.operands()) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && Call->isCallee(&Op))
        continue;
      if (auto *Taken = dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
        Roots.insert(Taken);
    }
}

/// \p Asks and all who call it, and so on.
static void addCallers(const Function &Asks,
                       SetVector<const Function *> &Callers) {
  unsigned Next = Callers.size();
  for (Callers.insert(&Asks); Next != Callers.size(); ++Next)
    for (const Use &U : Callers[Next]->uses())
      if (auto *Call = dyn_cast<CallBase>(U.getUser());
          Call && Call->isCallee(&U))
        Callers.insert(Call->getFunction());
}

SetVector<const Function *> adze::markedFunctions(Module &M) {
  SetVector<const Function *> Roots, Callers;
  for (const CallBase *Call : adze::findMarkers(M)) {
    bool Found = false;
    for (const Use &Arg : Call->args())
      if (auto *F = dyn_cast<Function>(Arg->stripPointerCastsAndAliases())) {
        Roots.insert(F);
        Found = true;
      }
    if (!Found)
      Roots.insert(Call->getFunction());
    addCallers(*Call->getFunction(), Callers);
  }
  // What the marked function calls may come from there: gradient(f, x).
  for (const Function *F : Callers)
    addAddresses(*F, Roots);
  return Roots;
}

PreservedAnalyses adze::KeepClassesPass::run(Module &M,
                                             ModuleAnalysisManager &) {
  SetVector<const Function *> Roots = markedFunctions(M);
  if (Roots.empty())
    return PreservedAnalyses::all();
  SetVector<const Constant *> Reachable =
      reachableConstants(Roots.getArrayRef());
  bool Changed = false;
  for (Function &F : M)
    if (Reachable.contains(&F)) {
      Changed |= giveSerialTwin(F);
      Changed |= keep(F);
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void adze::releaseTypes(Module &M) {
  if (none_of(M, [](const Function &F) { return F.hasFnAttribute(Kept); }))
    return;
  removeFromUsedLists(M, [](Constant *C) {
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && (F->hasFnAttribute(Kept) || isSerialTwin(*F));
  });
}

bool adze::releaseClasses(Module &M) {
  bool Changed = releaseTwins(M);
  for (Function &F : M) {
    if (!F.hasFnAttribute(Kept))
      continue;
    F.removeFnAttr(Kept);
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::NoDuplicate);
    Changed = true;
  }
  return Changed;
}
