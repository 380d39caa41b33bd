// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-local variables of ours become members of a block that a function
// finds for the thread (Runtime/ThreadStates.c), in modules for JITs without
// thread-local storage. Those that files share have a block each, of which they
// share the key.
#include "adze/Cleanup.h"
#include "adze/Runtime.h"
#include "adze/TapeMemory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

namespace {

bool isOurs(const GlobalVariable &G) {
  return G.isThreadLocal() && !G.isDeclaration() &&
         G.getName().starts_with("adze.") && G.getInitializer()->isNullValue();
}

/// Variables with one key.
class Block {
public:
  Block(Module &M, ArrayRef<GlobalVariable *> Variables)
      : M(M), Variables(Variables.begin(), Variables.end()) {
    const DataLayout &DL = M.getDataLayout();
    for (GlobalVariable *G : Variables) {
      // malloc aligns to 16. More is asked for to be fast.
      Offsets.push_back(alignTo(Bytes, Align(16)));
      Bytes = Offsets.back() + DL.getTypeAllocSize(G->getValueType());
    }
    makeKey();
  }

  void replace() {
    for (auto [G, Offset] : zip(Variables, Offsets)) {
      convertUsersOfConstantsToInstructions(G);
      for (Use &U : make_early_inc_range(G->uses()))
        replaceUse(U, Offset);
      G->removeDeadConstantUsers();
      if (G->use_empty())
        G->eraseFromParent();
    }
  }

private:
  void makeKey() {
    Type *I64 = Type::getInt64Ty(M.getContext());
    StructType *Ty = StructType::get(I64, I64);
    const GlobalVariable &First = *Variables.front();
    const bool Shared = !First.hasLocalLinkage();
    Key = new GlobalVariable(
        M, Ty, /*isConstant=*/false,
        Shared ? First.getLinkage() : GlobalValue::InternalLinkage,
        Constant::getNullValue(Ty),
        Shared ? First.getName() + ".key" : Twine("adze.states.key"));
    Key->setVisibility(Shared ? First.getVisibility()
                              : GlobalValue::DefaultVisibility);
  }

  void replaceUse(Use &U, uint64_t Offset) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      return;
    Value *State = blockIn(*I->getFunction());
    Instruction *At = I;
    if (auto *Phi = dyn_cast<PHINode>(I))
      At = Phi->getIncomingBlock(U)->getTerminator();
    IRBuilder<> B(At);
    Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), State, Offset);
    auto *Address = dyn_cast<IntrinsicInst>(I);
    if (!Address ||
        Address->getIntrinsicID() != Intrinsic::threadlocal_address) {
      U.set(Place);
      return;
    }
    Address->replaceAllUsesWith(Place);
    Address->eraseFromParent();
  }

  /// A thread that leaves a function is the one that entered it.
  Value *blockIn(Function &F) {
    Value *&State = InFunction[&F];
    if (!State) {
      Function *Find =
          runtimeFunction(M, ThreadStatesUnit, "adze.state.of.thread");
      IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
      if (const DISubprogram *SP = F.getSubprogram())
        B.SetCurrentDebugLocation(DILocation::get(
            F.getContext(), 0, 0, const_cast<DISubprogram *>(SP)));
      State = B.CreateCall(Find, {Key, B.getInt64(Bytes)});
    }
    return State;
  }

  Module &M;
  SmallVector<GlobalVariable *, 8> Variables;
  SmallVector<uint64_t, 8> Offsets;
  uint64_t Bytes = 0;
  GlobalVariable *Key = nullptr;
  MapVector<Function *, Value *> InFunction;
};

} // namespace

void replaceThreadLocals(Module &M) {
  if (!hasPlainTapes(M) || !Triple(M.getTargetTriple()).isOSLinux())
    return;
  SmallVector<GlobalVariable *, 8> Own, Shared;
  for (GlobalVariable &G : M.globals())
    if (isOurs(G))
      (G.hasLocalLinkage() ? Own : Shared).push_back(&G);
  if (!Own.empty())
    Block(M, Own).replace();
  for (GlobalVariable *G : Shared)
    Block(M, G).replace();
}

} // namespace adze
