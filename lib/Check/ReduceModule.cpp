// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReduceModule.h"
#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "adze/Marker.h"
#include "adze/ReachableConstants.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/StripSymbols.h"

using namespace llvm;

namespace adze {

std::vector<MarkerGroup> markerGroups(Module &M) {
  MapVector<std::pair<const Function *, const Function *>, MarkerGroup> Groups;
  unsigned Number = 0;
  for (const CallBase *Call : findMarkers(M)) {
    const Function *Primal = markedFunction(*Call);
    MarkerGroup &G = Groups[{Call->getFunction(), Primal}];
    G.Caller = Call->getFunction()->getName().str();
    G.Primal = Primal ? Primal->getName().str() : "";
    G.Markers.push_back(Number++);
  }
  std::vector<MarkerGroup> Result;
  for (auto &[Key, G] : Groups)
    Result.push_back(std::move(G));
  return Result;
}

namespace {

/// Takes the markers of other groups out of \p Caller. An invoke ends a block
/// and stays.
void eraseOtherMarkers(ArrayRef<CallBase *> Calls, const MarkerGroup &Kept,
                       const Function &Caller) {
  for (unsigned I = 0; I < Calls.size(); ++I) {
    auto *Call = dyn_cast<CallInst>(Calls[I]);
    if (!Call || Call->getFunction() != &Caller ||
        is_contained(Kept.Markers, I))
      continue;
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
}

/// Functions that are not among \p Bodies become declarations. An alias is the
/// definition of what it names, and gives way to that.
void dropBodies(Module &M, const SetVector<const Constant *> &Bodies) {
  for (GlobalAlias &A : make_early_inc_range(M.aliases()))
    if (!Bodies.contains(&A)) {
      A.replaceAllUsesWith(A.getAliasee());
      A.eraseFromParent();
    }
  for (Function &F : M)
    if (!F.isDeclaration() && !Bodies.contains(&F)) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
}

/// What functions with a body name, and what is registered, with all that these
/// name in turn.
SetVector<const Constant *> constantsInUse(const Module &M) {
  SmallVector<const Function *, 16> Defined;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Defined.push_back(&F);
  SetVector<const Constant *> Used = reachableConstants(Defined);
  for (const GlobalVariable &G : M.globals())
    if (registrationKind(G) != Registration::None)
      Used.insert(&G);
  for (unsigned I = 0; I < Used.size(); ++I)
    for (const Value *Operand : Used[I]->operand_values())
      if (const auto *C = dyn_cast<Constant>(Operand))
        Used.insert(C);
  return Used;
}

void eraseUnused(Module &M) {
  SetVector<const Constant *> Used = constantsInUse(M);
  SmallVector<GlobalValue *, 32> Unused;
  for (GlobalValue &G : M.global_values())
    if (!Used.contains(&G))
      Unused.push_back(&G);
  // They may name each other.
  for (GlobalValue *G : Unused)
    if (auto *Variable = dyn_cast<GlobalVariable>(G))
      Variable->setInitializer(nullptr);
    else if (!isa<Function>(G))
      G->dropAllReferences();
  for (GlobalValue *G : Unused) {
    G->removeDeadConstantUsers();
    G->replaceAllUsesWith(PoisonValue::get(G->getType()));
    G->eraseFromParent();
  }
}

} // namespace

void reduceModule(Module &M, const MarkerGroup &To, Reduction Kind) {
  std::vector<CallBase *> Calls = findMarkers(M);
  const CallBase &First = *Calls[To.Markers.front()];
  const Function *Caller = First.getFunction();
  const Function *Primal = markedFunction(First);
  const Function *Root = Caller;
  if (Kind == Reduction::ToMarkers) {
    eraseOtherMarkers(Calls, To, *Caller);
    Root = Primal ? Primal : Caller;
  }
  SetVector<const Constant *> Bodies = reachableConstants(Root);
  Bodies.insert(Caller);
  dropBodies(M, Bodies);
  eraseUnused(M);
  ModuleAnalysisManager None;
  StripDeadDebugInfoPass().run(M, None);
}

} // namespace adze
