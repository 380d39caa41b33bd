// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GlobalPointers.h"

#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"
#include "adze/RuntimeStop.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// Whether \p U does no more with a pointer than to look at it, or to release
/// what it leads to: without a shadow nothing is amiss then.
static bool isHarmless(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<ICmpInst>(I) || I->isLifetimeStartOrEnd())
    return true;
  auto *Call = dyn_cast<CallBase>(I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->frees();
}

/// The first instruction that may access the memory behind \p Pointer, or
/// behind an address made of it, if possible one with a place in the program;
/// null if there is none. What is stored or handed on may be accessed.
static const Instruction *accessThrough(const Instruction &Pointer) {
  const Instruction *First = nullptr;
  SmallSetVector<const Instruction *, 16> Same;
  Same.insert(&Pointer);
  for (unsigned I = 0; I != Same.size(); ++I)
    for (const Use &U : Same[I]->uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, BinaryOperator>(
              User))
        Same.insert(User);
      else if (!isHarmless(U) && (!First || !First->getDebugLoc()))
        First = User;
    }
  return First;
}

/// Adds what the callers within derivatives pass for \p Arg of a clone. False
/// if not all of that is known. The calls in other clones lead to the function
/// itself; those in the program are no matter, for they have no shadows, but a
/// marker may name it, which then comes with pointers of the user's.
static bool addPassed(const Argument &Arg,
                      SmallSetVector<const Value *, 8> &Passed) {
  StringRef Name = Arg.getParent()->getName();
  if (!Name.consume_front(ClonePrefix))
    return false;
  const Function *Source = Arg.getParent()->getParent()->getFunction(Name);
  if (!Source)
    return false;
  for (const Use &U : Source->uses()) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      continue; // a table: calls through it are made direct calls
    auto *Call = dyn_cast<CallBase>(I);
    if (!Call || !Call->isCallee(&U) || Arg.getArgNo() >= Call->arg_size())
      return false;
    if (I->getFunction()->getName().starts_with(ClonePrefix))
      Passed.insert(Call->getArgOperand(Arg.getArgNo()));
  }
  return true;
}

static bool holdsPointers(const Type *Ty) {
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return holdsPointers(Array->getElementType());
  return Ty->isPointerTy() ||
         (Ty->isStructTy() && any_of(Ty->subtypes(), [](const Type *Part) {
            return holdsPointers(Part);
          }));
}

/// Whether differentiated code does more with the address of \p G than to
/// access the variable there: it may be read behind another pointer then.
static bool isHandedOn(const GlobalVariable &G) {
  SmallVector<const Value *, 8> Addresses = {&G};
  while (!Addresses.empty())
    for (const Use &U : Addresses.pop_back_val()->uses()) {
      const User *By = U.getUser();
      if (isa<ConstantExpr, GetElementPtrInst>(By)) {
        Addresses.push_back(By);
        continue;
      }
      auto *I = dyn_cast<Instruction>(By);
      if (I && I->getFunction()->getName().starts_with(ClonePrefix) &&
          getLoadStorePointerOperand(I) != U.get())
        return true;
    }
  return false;
}

ArrayRef<const GlobalVariable *> GlobalPointers::handedOn(const Module &M) {
  if (!HandedOn) {
    HandedOn.emplace();
    for (const GlobalVariable &G : M.globals())
      if (!G.isConstant() && !G.isThreadLocal() &&
          holdsPointers(G.getValueType()) && isHandedOn(G))
        HandedOn->push_back(&G);
  }
  return *HandedOn;
}

/// The variable that \p Pointer leads into, be it through arguments; the first
/// one if there are several; null if it may lead elsewhere.
static const GlobalVariable *variableBehind(const Value *Pointer) {
  constexpr unsigned MaxFollowed = 64;
  const GlobalVariable *First = nullptr;
  SmallSetVector<const Value *, 8> Passed;
  Passed.insert(Pointer);
  for (unsigned I = 0; I != Passed.size(); ++I) {
    const Value *Object = getUnderlyingObject(Passed[I]);
    auto *G = dyn_cast<GlobalVariable>(Object);
    auto *Arg = dyn_cast<Argument>(Object);
    if (G && !G->isConstant())
      First = First ? First : G;
    else if (I >= MaxFollowed || !Arg || !addPassed(*Arg, Passed))
      return nullptr;
  }
  return First;
}

static void stopIfNull(const Instruction &I, const Instruction &Access,
                       const GlobalVariable &G, Value *ReadThere,
                       ForwardSweepContext &C) {
  // The optimizer drops the places of loads that it merges.
  std::string Text = sourcePlace(I.getDebugLoc() ? &I : &Access);
  if (!Text.empty())
    Text += ": ";
  Text += "a pointer in " + describe(&G) +
          " was set outside of the derivative, where the memory behind it got "
          "no shadow: pass the pointer as an argument, with a shadow or as "
          "enzyme_const";
  // All directions are stored together.
  Value *Shadow = C.L.first(C.B, C.dual(&I));
  Value *IsLost = C.B.CreateAnd(C.B.CreateIsNull(Shadow),
                                C.B.CreateIsNotNull(C.primal(&I)));
  if (ReadThere)
    IsLost = C.B.CreateAnd(IsLost, ReadThere);
  emitRuntimeStopIf(C.B, IsLost, Text);
}

/// Whether \p Address lies in \p G.
static Value *liesIn(Value *Address, const GlobalVariable &G, IRBuilder<> &B) {
  const DataLayout &DL = G.getParent()->getDataLayout();
  Type *Int = DL.getIntPtrType(Address->getType());
  Value *Distance =
      B.CreateSub(B.CreatePtrToInt(Address, Int),
                  B.CreatePtrToInt(const_cast<GlobalVariable *>(&G), Int));
  return B.CreateICmpULT(
      Distance, ConstantInt::get(Int, DL.getTypeAllocSize(G.getValueType())));
}

void GlobalPointers::stopWithoutShadow(const Instruction &I,
                                       ForwardSweepContext &C) {
  auto *Load = dyn_cast<LoadInst>(&I);
  bool Address = I.getType()->isPointerTy() ||
                 (I.getType()->isIntegerTy() &&
                  C.facts().Types->scalarKind(&I).isPointer());
  if (!Load || !Address || !C.carries(&I) || !C.hasShadow(&I))
    return;
  const Value *From = Load->getPointerOperand();
  if (!C.hasShadow(From))
    return;
  const Instruction *Access = accessThrough(I);
  if (!Access)
    return;
  if (const GlobalVariable *G = variableBehind(From)) {
    stopIfNull(I, *Access, *G, /*ReadThere=*/nullptr, C);
    return;
  }
  const Value *Object = getUnderlyingObject(From);
  if (!isa<LoadInst, Argument, PHINode, SelectInst>(Object) ||
      From->getType()->getPointerAddressSpace() != 0)
    return;
  for (const GlobalVariable *G : handedOn(*I.getModule()))
    stopIfNull(I, *Access, *G, liesIn(C.primal(From), *G, C.B), C);
}

} // namespace adze
