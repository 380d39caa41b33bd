// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/DeviceLibrary.h"
#include "NameVariants.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

bool isOfDeviceLibrary(const Function &F) {
  return !F.isDeclaration() && isDeviceLibraryName(F.getName());
}

bool isKnownOfDeviceLibrary(const Function &F) {
  return isOfDeviceLibrary(F) && lookupKnown(F);
}

bool lacksDeviceBody(const Function &F) {
  return F.isDeclaration() && isDeviceLibraryName(F.getName());
}

namespace {

/// Families that derivatives call, each with the types that it is called on.
class Companions {
public:
  void addPartialsOf(const KnownFunction &Known, Type *Ty) {
    for (const Expr &Partial : Known.Row.Partials)
      add(Partial, Ty);
    for (const OutputRow &Output : Known.Outputs)
      for (const Expr &Partial : Output.Row.Partials)
        add(Partial, Ty);
  }

  void declareIn(Module &M) {
    for (size_t Next = 0; Next != Wanted.size(); ++Next) {
      auto [Family, Ty] = Wanted[Next];
      declareScalar(M, Family, Ty);
      if (const KnownFunction *Known = lookupFamily(Family))
        addPartialsOf(*Known, Ty);
    }
  }

private:
  void add(const Expr &E, Type *Ty) {
    if (!E)
      return;
    if (E->Kind == ExprKind::Call)
      Wanted.insert({StringRef(E->Family), Ty});
    for (const Expr &Operand : E->Operands)
      add(Operand, Ty);
  }

  SetVector<std::pair<StringRef, Type *>> Wanted;
};

/// The scalar type on which derivatives of \p Call compute; null if there is
/// none.
Type *computedOn(const CallBase &Call) {
  Type *Ty = Call.getType()->getScalarType();
  for (const Use &Arg : Call.args())
    if (!Ty->isFloatingPointTy())
      Ty = Arg->getType()->getScalarType();
  if (Ty->isHalfTy() || Ty->isBFloatTy())
    return Type::getFloatTy(Ty->getContext());
  return Ty->isFloatTy() || Ty->isDoubleTy() ? Ty : nullptr;
}

} // namespace

void declareCompanions(ArrayRef<CallBase *> Calls) {
  Companions Wanted;
  for (CallBase *Call : Calls) {
    const KnownFunction *Known = lookupKnown(*Call);
    Type *Ty = Known ? computedOn(*Call) : nullptr;
    if (Ty)
      Wanted.addPartialsOf(*Known, Ty);
  }
  if (!Calls.empty())
    Wanted.declareIn(*Calls.front()->getModule());
}

} // namespace adze
