// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Resolve.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace adze;

/// The one value that the local variable ever holds, or null. A load before
/// the store would read an undefined value, which may be taken for any.
static const Value *onlyValueOf(const AllocaInst &Variable, const Type *Ty) {
  const Value *Stored = nullptr;
  for (const User *U : Variable.users()) {
    if (const auto *S = dyn_cast<StoreInst>(U)) {
      if (Stored || S->getPointerOperand() != &Variable)
        return nullptr;
      Stored = S->getValueOperand();
    } else if (const auto *L = dyn_cast<LoadInst>(U)) {
      if (L->getType() != Ty)
        return nullptr;
    } else if (const auto *I = dyn_cast<IntrinsicInst>(U);
               !I || !I->isLifetimeStartOrEnd()) {
      return nullptr; // the address may be written through
    }
  }
  return Stored && Stored->getType() == Ty ? Stored : nullptr;
}

/// The value of a global that nobody can write to, or null.
static const Value *onlyValueOf(const Value *Pointer, const LoadInst &L) {
  const DataLayout &DL = L.getModule()->getDataLayout();
  if (const auto *C = dyn_cast<Constant>(Pointer))
    if (Constant *Folded = ConstantFoldLoadFromConstPtr(
            const_cast<Constant *>(C), L.getType(), DL))
      return Folded;
  const auto *G = dyn_cast<GlobalVariable>(Pointer);
  if (!G || !G->hasLocalLinkage() || !G->hasInitializer() ||
      G->getValueType() != L.getType())
    return nullptr;
  for (const User *U : G->users())
    if (!isa<LoadInst>(U))
      return nullptr;
  return G->getInitializer();
}

/// The constant that \p F returns whatever it is called with, or null: what a
/// lambda's conversion to a function pointer is before inlining.
static const Value *constantReturnedBy(const Function &F) {
  if (F.isDeclaration() || F.isInterposable())
    return nullptr;
  const Value *Only = nullptr;
  for (const BasicBlock &B : F) {
    const auto *R = dyn_cast<ReturnInst>(B.getTerminator());
    if (!R)
      continue;
    const auto *C = dyn_cast_or_null<Constant>(R->getReturnValue());
    if (!C || (Only && Only != C))
      return nullptr;
    Only = C;
  }
  return Only;
}

static const Value *oneStep(const Value *V) {
  if (const auto *O = dyn_cast<Operator>(V))
    if (Instruction::isCast(O->getOpcode()) || isa<FreezeInst>(O))
      return O->getOperand(0);
  if (const auto *A = dyn_cast<GlobalAlias>(V))
    return A->isInterposable() ? nullptr : A->getAliasee();
  if (const auto *L = dyn_cast<LoadInst>(V)) {
    if (L->isVolatile())
      return nullptr;
    const Value *Pointer = L->getPointerOperand()->stripPointerCasts();
    if (const auto *Variable = dyn_cast<AllocaInst>(Pointer))
      return onlyValueOf(*Variable, L->getType());
    return onlyValueOf(Pointer, *L);
  }
  if (const auto *C = dyn_cast<CallInst>(V))
    if (const Function *F = C->getCalledFunction())
      return constantReturnedBy(*F);
  return nullptr;
}

const Value *adze::lookThrough(const Value *V,
                               function_ref<bool(const Value *)> Stop) {
  // A cycle through unreachable code is cut by the bound.
  for (unsigned Steps = 0; Steps != 64 && !(Stop && Stop(V)); ++Steps) {
    const Value *Next = oneStep(V);
    if (!Next)
      break;
    V = Next;
  }
  return V;
}

Function *adze::functionBehind(Value *V) {
  return const_cast<Function *>(dyn_cast<Function>(lookThrough(V)));
}

Function *adze::markedFunction(const CallBase &Call) {
  unsigned First =
      Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet);
  return First < Call.arg_size() ? functionBehind(Call.getArgOperand(First))
                                 : nullptr;
}
