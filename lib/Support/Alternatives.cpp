// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Primal.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ModuleSlotTracker.h"

using namespace llvm;

namespace adze {

Alternatives::~Alternatives() {
  for (Instruction *I : Code)
    I->dropAllReferences();
  for (Value *V : Code)
    V->deleteValue();
  for (Value *Name : Names)
    Name->deleteValue();
}

void Alternatives::takeOut(Function &F, ArrayRef<Instruction *> Taken) {
  SmallPtrSet<const Instruction *, 32> Own(Taken.begin(), Taken.end());
  for (Instruction *I : reverse(Taken)) {
    const Instruction *Next = I->getNextNode();
    Places[I] = Own.contains(Next) ? Places.lookup(Next) : Next;
  }
  DenseMap<const Value *, Value *> NameOf;
  auto nameFor = [&](Value *V) {
    Value *&Name = NameOf[V];
    if (!Name) {
      Name = Names.emplace_back(new Argument(V->getType()));
      Meanings[Name] = V;
    }
    return Name;
  };
  for (Instruction *I : Taken) {
    // Whoever walks the uses of a global variable takes them for code.
    for (Use &U : I->operands()) {
      auto *Op = dyn_cast<Instruction>(U);
      if (!isa<ConstantData, Function>(U) && !(Op && Own.contains(Op)))
        U.set(nameFor(U));
    }
    Code.push_back(I);
  }
  for (Instruction *I : Taken)
    I->removeFromParent();
  order(F);
  if (!F.getContext().shouldDiscardValueNames())
    nameOperands(F);
}

void Alternatives::order(Function &F) {
  DenseMap<const Instruction *, SmallVector<Instruction *, 4>> ByPlace;
  for (Instruction *I : Code)
    ByPlace[Places.lookup(I)].push_back(I);
  Code.clear();
  for (const Instruction &Place : instructions(F)) {
    auto It = ByPlace.find(&Place);
    if (It == ByPlace.end())
      continue;
    Before[&Place] = {Code.size(), Code.size() + It->second.size()};
    append_range(Code, It->second);
  }
}

/// For who reads them.
void Alternatives::nameOperands(Function &F) {
  ModuleSlotTracker Slots(F.getParent());
  Slots.incorporateFunction(F);
  for (Value *Name : Names) {
    const Value *V = Meanings.lookup(Name);
    Name->setName(V->hasName()       ? V->getName().str()
                  : isa<Constant>(V) ? "constant"
                                     : std::to_string(Slots.getLocalSlot(V)));
  }
  for (auto [N, I] : enumerate(Code))
    if (!I->hasName() && !I->getType()->isVoidTy())
      I->setName("else." + Twine(N));
}

ArrayRef<Instruction *> Alternatives::before(const Instruction *I) const {
  auto [Begin, End] = Before.lookup(I);
  return ArrayRef(Code).slice(Begin, End - Begin);
}

const Instruction *Alternatives::ofPrimal(const Instruction *I) const {
  while (const AlternativeRead *R = readOf(I))
    I = R->Same ? R->Same : R->Accesses.front();
  return I;
}

const Snapshot *Primal::snapshotBehind(const Value *Pointer) const {
  if (Snapshots.empty())
    return nullptr;
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  // In the copy if what is read lies there: no select of the program chooses
  // one.
  if (auto *Either = dyn_cast<SelectInst>(Object))
    Object = getUnderlyingObject(Either->getTrueValue(), /*MaxLookup=*/0);
  return snapshotAt(Object);
}

const Value *Primal::givenCopyOf(const Argument &A) const {
  for (const auto &[Call, S] : Snapshots)
    if (S.Given == &A)
      return Call;
  return nullptr;
}

} // namespace adze
