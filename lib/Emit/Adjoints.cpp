// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Adjoints.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// All adjoint contributions to \p V are made in the reverse of its own block.
bool isLocal(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  for (const User *U : I->users()) {
    auto *Use = cast<Instruction>(U);
    if (isa<PHINode>(Use) || Use->getParent() != I->getParent())
      return false;
  }
  return true;
}

} // namespace

Value *Adjoints::variable(const Value *V) {
  Value *&Variable = Variables[V];
  if (!Variable) {
    Type *Ty = L.dualType(V->getType());
    IRBuilder<> Entry(&Out.getEntryBlock(), Out.getEntryBlock().begin());
    Variable = Entry.CreateAlloca(Ty, nullptr, V->getName() + ".adjoint");
    IRBuilder<>(&Start, Start.begin())
        .CreateStore(Constant::getNullValue(Ty), Variable);
  }
  return Variable;
}

Value *Adjoints::take(const Value *V, EmitContext &C) {
  if (isLocal(V)) {
    auto It = Local.find(V);
    if (It == Local.end())
      return nullptr;
    Value *A = It->second;
    Local.erase(It);
    return A;
  }
  Value *Place = variable(V);
  Type *Ty = L.dualType(V->getType());
  Value *A = C.B.CreateLoad(Ty, Place);
  C.B.CreateStore(Constant::getNullValue(Ty), Place);
  return A;
}

void Adjoints::add(const Value *V, Value *A, EmitContext &C,
                   function_ref<void(Value *Old, Value *New)> Summed) {
  auto sum = [&](Value *Old) {
    Value *New = L.map(C.B, {Old, A}, [&](ArrayRef<Value *> D) {
      return C.sumOfUses(V, D[0], D[1]);
    });
    Summed(Old, New);
    return New;
  };
  if (isLocal(V)) {
    Value *&Old = Local[V];
    Old = Old ? sum(Old) : A;
    return;
  }
  Value *Place = variable(V);
  Value *Old = C.B.CreateLoad(L.dualType(V->getType()), Place);
  C.B.CreateStore(sum(Old), Place);
}

} // namespace adze
