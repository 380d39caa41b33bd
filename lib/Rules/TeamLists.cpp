// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/TeamLists.h"
#include "adze/Deferred.h"
#include "adze/OwnFunction.h"
#include "adze/Runtime.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

static constexpr const char *KeptAdd = "adze.kept.add";
static constexpr const char *Defer = "adze.defer.free";

/// Who calls \p Name but the runtime itself.
static bool isCalled(const Module &M, StringRef Name, StringRef Prefix) {
  const Function *F = M.getFunction(Name);
  return F && any_of(F->users(), [&](const User *U) {
           auto *Call = dyn_cast<CallBase>(U);
           return Call && !Call->getFunction()->getName().starts_with(Prefix);
         });
}

TeamLists::TeamLists(Module &M)
    : M(M), Defers(isCalled(M, Defer, Defer)),
      Keeps(isCalled(M, KeptAdd, "adze.kept.")) {}

StructType *TeamLists::placeType() const {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  return StructType::get(M.getContext(), {Ptr, Ptr});
}

void TeamLists::begin(IRBuilder<> &B) {
  if (Defers)
    Deferred = setDeferredList(B, ConstantPointerNull::get(B.getPtrTy()));
  if (Keeps)
    Kept = B.CreateCall(runtimeFunction(M, KeptBlocksUnit, "adze.kept.begin"));
}

void TeamLists::give(IRBuilder<> &B, Value *Place) {
  if (Defers)
    B.CreateCall(runtimeFunction(M, DeferredFreesUnit, "adze.deferred.give"),
                 {setDeferredList(B, Deferred),
                  B.CreateStructGEP(placeType(), Place, 0)});
  if (Keeps)
    B.CreateCall(runtimeFunction(M, KeptBlocksUnit, "adze.kept.give"),
                 {Kept, B.CreateStructGEP(placeType(), Place, 1)});
}

void TeamLists::take(IRBuilder<> &B, Value *Place) const {
  auto list = [&](unsigned Which) {
    return B.CreateLoad(B.getPtrTy(),
                        B.CreateStructGEP(placeType(), Place, Which));
  };
  if (Defers)
    B.CreateCall(runtimeFunction(M, DeferredFreesUnit, "adze.deferred.take"),
                 {list(0)});
  if (Keeps)
    B.CreateCall(runtimeFunction(M, KeptBlocksUnit, "adze.kept.take"),
                 {list(1)});
}

bool usesLists(Function &F) {
  SetVector<Function *> Reached;
  Reached.insert(&F);
  for (unsigned K = 0; K != Reached.size(); ++K) {
    if (Reached[K]->getName() == Defer || Reached[K]->getName() == KeptAdd)
      return true;
    for (Instruction &I : instructions(Reached[K]))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->getCalledFunction() &&
          isOwn(*Call->getCalledFunction()))
        Reached.insert(Call->getCalledFunction());
  }
  return false;
}

} // namespace adze
