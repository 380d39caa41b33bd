// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/DeviceLibrary.h"
#include "NameVariants.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
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

  std::vector<std::string> declareIn(Module &M) {
    std::vector<std::string> Names;
    for (size_t Next = 0; Next != Wanted.size(); ++Next) {
      auto [Family, Ty] = Wanted[Next];
      if (auto *Callee = dyn_cast_or_null<Function>(
              declareScalar(M, Family, Ty).getCallee()))
        addNames(*Callee, Names);
      if (const KnownFunction *Known = lookupFamily(Family))
        addPartialsOf(*Known, Ty);
    }
    return Names;
  }

private:
  /// \p F itself, or, of a function of ours, what it calls.
  static void addNames(const Function &F, std::vector<std::string> &Names) {
    if (isDeviceLibraryName(F.getName()))
      Names.push_back(F.getName().str());
    if (!isOwn(F))
      return;
    for (const Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction())
          addNames(*Callee, Names);
  }

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

std::vector<std::string> declareCompanions(ArrayRef<CallBase *> Calls) {
  Companions Wanted;
  for (CallBase *Call : Calls) {
    const KnownFunction *Known = lookupKnown(*Call);
    Type *Ty = Known ? computedOn(*Call) : nullptr;
    if (Ty)
      Wanted.addPartialsOf(*Known, Ty);
  }
  if (Calls.empty())
    return {};
  return Wanted.declareIn(*Calls.front()->getModule());
}

} // namespace adze
