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

/// What sums of adjoints of type \p Ty are made in.
Type *sumType(Type *Ty) {
  Type *Float = Ty->getScalarType();
  return Float->isHalfTy() || Float->isBFloatTy()
             ? Ty->getWithNewType(Type::getFloatTy(Ty->getContext()))
             : Ty;
}

} // namespace

Value *Adjoints::converted(Value *A, Type *Ty, EmitContext &C) {
  if (A->getType() == L.dualType(Ty))
    return A;
  return L.map(C.B, {A},
               [&](ArrayRef<Value *> D) { return C.B.CreateFPCast(D[0], Ty); });
}

Value *Adjoints::variable(const Value *V) {
  Value *&Variable = Variables[V];
  if (!Variable) {
    Type *Ty = L.dualType(sumType(V->getType()));
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
    return converted(A, V->getType(), C);
  }
  Value *Place = variable(V);
  Type *Ty = L.dualType(sumType(V->getType()));
  Value *A = C.B.CreateLoad(Ty, Place);
  C.B.CreateStore(Constant::getNullValue(Ty), Place);
  return converted(A, V->getType(), C);
}

void Adjoints::add(const Value *V, Value *A, EmitContext &C,
                   function_ref<void(Value *Old, Value *New)> Summed) {
  Type *Wide = sumType(V->getType());
  auto sum = [&](Value *Old) {
    Old = converted(Old, Wide, C);
    Value *Term = converted(A, Wide, C);
    Value *New = L.map(C.B, {Old, Term}, [&](ArrayRef<Value *> D) {
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
  Value *Old = C.B.CreateLoad(L.dualType(Wide), Place);
  C.B.CreateStore(sum(Old), Place);
}

} // namespace adze
