// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Adze made and nothing needs in the end: derivatives that were inlined
// or replaced, helpers, tables. They may use each other and themselves, so
// what is needed is found from the rest of the module.
#include "adze/Cleanup.h"
#include "adze/OwnFunction.h"
#include "adze/TapeMemory.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// The globals in which \p G is used: functions whose code names it, variables
/// whose initializer does.
static SetVector<const GlobalValue *> usersOf(const GlobalValue &G) {
  SetVector<const GlobalValue *> Users;
  SetVector<const User *> Seen;
  SmallVector<const User *, 16> Work(G.users());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (!Seen.insert(U))
      continue;
    if (auto *I = dyn_cast<Instruction>(U))
      Users.insert(I->getFunction());
    else if (auto *User = dyn_cast<GlobalValue>(U))
      Users.insert(User);
    else
      append_range(Work, U->users());
  }
  return Users;
}

bool eraseUnused(Module &M, FunctionAnalysisManager &FAM) {
  SetVector<GlobalValue *> Dead;
  for (Function &F : M)
    if (F.hasLocalLinkage() && isOwn(F))
      Dead.insert(&F);
  for (GlobalVariable &G : M.globals())
    if (G.hasLocalLinkage() && G.getName().starts_with("adze."))
      Dead.insert(&G);

  DenseMap<const GlobalValue *, SmallVector<GlobalValue *, 2>> UsedBy;
  SmallVector<GlobalValue *, 16> Live;
  for (GlobalValue *G : Dead) {
    for (const GlobalValue *User : usersOf(*G)) {
      if (Dead.contains(const_cast<GlobalValue *>(User)))
        UsedBy[User].push_back(G);
      else
        Live.push_back(G);
    }
  }
  while (!Live.empty()) {
    GlobalValue *G = Live.pop_back_val();
    if (Dead.remove(G))
      append_range(Live, UsedBy.lookup(G));
  }

  for (GlobalValue *G : Dead) {
    if (auto *F = dyn_cast<Function>(G)) {
      FAM.clear(*F, F->getName());
      F->dropAllReferences();
    } else {
      cast<GlobalVariable>(G)->setInitializer(nullptr);
    }
  }
  for (GlobalValue *G : Dead) {
    G->removeDeadConstantUsers();
    G->eraseFromParent();
  }
  eraseUnusedRelease(M);
  return !Dead.empty();
}

} // namespace adze
