// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BlockVariables.h"
#include "adze/DeviceTarget.h"
#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/ReachableConstants.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

static constexpr size_t MaxAddresses = 10000;

namespace {

enum class UseOf { Access, Address, Other };

} // namespace

static UseOf useOf(const Use &U) {
  const User *By = U.getUser();
  if (isa<LoadInst, CmpInst>(By))
    return UseOf::Access;
  if (auto *Store = dyn_cast<StoreInst>(By))
    return U.getOperandNo() == Store->getPointerOperandIndex() ? UseOf::Access
                                                               : UseOf::Other;
  if (auto *Sum = dyn_cast<AtomicRMWInst>(By))
    return U.getOperandNo() == Sum->getPointerOperandIndex() ? UseOf::Access
                                                             : UseOf::Other;
  if (isa<MemIntrinsic>(By))
    return UseOf::Access;
  if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, PHINode,
          SelectInst>(By))
    return UseOf::Address;
  return UseOf::Other;
}

/// Each instruction that accesses \p G; false if there may be others.
static bool visitAccesses(const GlobalVariable &G,
                          function_ref<void(const Instruction &)> Visit) {
  SetVector<const Value *> Addresses;
  Addresses.insert(&G);
  for (size_t K = 0; K < Addresses.size(); ++K) {
    if (K == MaxAddresses)
      return false;
    for (const Use &U : Addresses[K]->uses())
      switch (useOf(U)) {
      case UseOf::Access:
        Visit(*cast<Instruction>(U.getUser()));
        break;
      case UseOf::Address:
        Addresses.insert(U.getUser());
        break;
      case UseOf::Other:
        return false;
      }
  }
  return true;
}

/// All dynamic memory of a block is the same, whatever it is called.
static bool hasOtherNames(const GlobalVariable &G) {
  return isDynamicShared(G) &&
         any_of(G.getParent()->globals(), [&](const GlobalVariable &Other) {
           return &Other != &G && isDynamicShared(Other) && !Other.use_empty();
         });
}

bool isReachedByName(const GlobalVariable &G) {
  // A variable of a template has its name in all files, and the same function
  // around it.
  const bool IsOfFunction = G.hasLocalLinkage() || G.hasLinkOnceODRLinkage();
  return (IsOfFunction || isDynamicShared(G)) && !hasOtherNames(G) &&
         visitAccesses(G, [](const Instruction &) {});
}

/// A marker, a derivative, or a function of another file.
static bool isForeign(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return true;
  return isOwn(*Callee) || (Callee->isDeclaration() && !Callee->isIntrinsic() &&
                            !lookupKnown(Call));
}

/// Functions that are executed in one kernel with a derivative, or with code
/// that is not at hand.
static DenseSet<const Function *> functionsBeside(const Module &M) {
  auto calls = [&](const Function &F, function_ref<bool(const CallBase &)> Is) {
    return any_of(instructions(F), [&](const Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return Call && Is(*Call);
    });
  };
  SmallSetVector<const Function *, 8> Found;
  for (const Function &F : M)
    if (!F.getName().starts_with(ClonePrefix) && !isOwn(F) &&
        calls(F, isForeign))
      Found.insert(&F);
  // Who calls them; and then all that these call.
  for (size_t K = 0; K < Found.size(); ++K)
    for (const Use &U : Found[K]->uses())
      if (auto *Call = dyn_cast<CallBase>(U.getUser());
          Call && Call->isCallee(&U))
        Found.insert(Call->getFunction());
  for (size_t K = 0; K < Found.size(); ++K)
    for (const Instruction &I : instructions(*Found[K]))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && !isOwn(*Callee))
          Found.insert(Callee);
  return {Found.begin(), Found.end()};
}

bool isOfFunctionAlone(const GlobalVariable &G, const Primal &P) {
  const DenseSet<const Function *> Beside = functionsBeside(*G.getParent());
  bool IsAlone = true;
  const bool All = visitAccesses(G, [&](const Instruction &I) {
    IsAlone &= !Beside.contains(I.getFunction());
  });
  return All && IsAlone && !Beside.contains(P.Source);
}

} // namespace adze
