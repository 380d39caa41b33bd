// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Activities.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace adze;

std::string adze::typeInWords(Type *Ty, const DataLayout &DL) {
  if (!Ty || Ty->isVoidTy())
    return "nothing";
  if (Ty->isPointerTy())
    return "a pointer";
  if (Ty->isIntegerTy())
    return "an integer of " + std::to_string(Ty->getIntegerBitWidth()) +
           " bits";
  if (Ty->isStructTy() || Ty->isArrayTy())
    return "a structure of " + std::to_string(sourceLayout(Ty, DL).Size) +
           " bytes";
  std::string Text;
  raw_string_ostream OS(Text);
  if (Ty->isX86_FP80Ty() || Ty->isFP128Ty())
    OS << "long double";
  else
    Ty->print(OS, false, true);
  return Text;
}

std::string adze::argumentInWords(const MarkerCall &C, unsigned Param) {
  unsigned Number = Param + 1;
  for (unsigned P = 0; P != Param; ++P)
    Number -= C.Primal->hasParamAttribute(P, Attribute::StructRet);
  std::string Text = "argument " + std::to_string(Number);
  const Argument *A = C.Primal->getArg(Param);
  std::string Name = describe(A);
  // Only a name from the source adds anything.
  if (StringRef(Name).starts_with("'"))
    Text += " (" + StringRef(Name).split("' ").first.rtrim('\'').str() + "')";
  return Text;
}

namespace {

/// Why a tag does not fit, and the way out; empty if it fits.
struct Contradiction {
  std::string Why, Cure;
};

/// An integer that can be the address of something: not a structure of that
/// size, of which the parts come without `noundef`.
bool isAddress(const MarkerCall &C, unsigned Param) {
  const Argument *A = C.Primal->getArg(Param);
  return A->getType()->isIntegerTy(C.layout().getPointerSizeInBits()) &&
         A->hasAttribute(Attribute::NoUndef);
}

Contradiction contradiction(const MarkerCall &C, const Group &G,
                            const ScalarClasses &Classes) {
  bool Memory = memoryType(*C.Primal, G.FirstParam);
  bool Active = G.T == Tag::Out || G.T == Tag::Dup || G.T == Tag::DupNoNeed;
  if (Classes.Inactive && Active)
    return {"it is declared inactive", "use enzyme_const"};
  switch (G.T) {
  case Tag::Out:
    if (C.ForTangents && Classes.Floats)
      return {};
    if (C.isForward())
      return {"nothing is returned for an argument in forward mode",
              "use enzyme_dup, with the argument's tangent after it"};
    if (Classes.Pointers)
      return {"it is a pointer, whose derivatives go to memory",
              "use enzyme_dup, with the address of that memory after it"};
    if (!Classes.Floats)
      return {"it is an integer", "use enzyme_const"};
    return {};
  case Tag::Dup:
  case Tag::DupNoNeed: {
    if (G.NumParams == 1 && !Memory && isAddress(C, G.FirstParam))
      return {};
    if (!Classes.Pointers && !Classes.Floats)
      return C.Primal->getArg(G.FirstParam)->getType()->isIntegerTy()
                 ? Contradiction{"it is an integer",
                                 "use enzyme_const, without a shadow"}
                 : Contradiction{"it is a structure that is passed in integer "
                                 "registers",
                                 "pass it by address"};
    // The address of a structure passed by value can take derivatives.
    bool ByAddress = Memory && G.hasShadowByAddress(C);
    if (!C.isForward() && !Classes.Pointers && !ByAddress)
      return {"it is passed by value, and in reverse mode its derivative is "
              "returned",
              "use enzyme_out, without a shadow"};
    return {};
  }
  default:
    return {};
  }
}

ArgActivity dupActivity(Tag T) {
  return T == Tag::DupNoNeed ? ArgActivity::DupNoNeed : ArgActivity::Dup;
}

/// A parameter that is no memory: a scalar, a vector, one register of a
/// structure, or a whole structure as a value.
ArgActivity activityOfValue(const MarkerCall &C, const Argument &A, Tag T) {
  ScalarClasses L = scalarClasses(A.getType());
  if ((T == Tag::Dup || T == Tag::DupNoNeed) && !isDeclaredInactive(A) &&
      isAddress(C, A.getArgNo()))
    return dupActivity(T);
  if (T == Tag::Const || isDeclaredInactive(A) || (!L.Floats && !L.Pointers))
    return ArgActivity::Const;
  if (C.isForward())
    return L.Pointers ? dupActivity(T) : ArgActivity::Dup;
  if (L.mixed())
    return ArgActivity::OutDup;
  return L.Pointers ? dupActivity(T) : ArgActivity::Out;
}

ParamRole roleOfMemory(const MarkerCall &C, const Group &G,
                       const ScalarClasses &L) {
  ParamRole R;
  if (G.T == Tag::Const || L.Inactive || (!L.Floats && !L.Pointers))
    return R;
  R.Activity = dupActivity(G.T);
  if (C.isForward() || !L.Floats)
    return R;
  R.OutInMemory = !G.hasShadowByAddress(C);
  return R;
}

} // namespace

bool adze::assignRoles(const MarkerCall &C, const Group &G, Diagnostics &Diags,
                       const Origin &From, std::vector<ParamRole> &Roles) {
  const Function &F = *C.Primal;
  ScalarClasses Classes = classesOf(C, G.FirstParam, G.NumParams);
  if (G.ImplicitSRet) {
    ParamRole R;
    R.Result = true;
    if (Classes.Floats || Classes.Pointers)
      R.Activity = C.PrimalReturn || C.Return == Tag::DupReturn
                       ? ArgActivity::Dup
                       : ArgActivity::DupNoNeed;
    Roles.push_back(R);
    return true;
  }
  if (Contradiction No = contradiction(C, G, Classes); !No.Why.empty()) {
    Diags.report(Diag::TagContradiction, From, C.Call,
                 {G.TagName.str(), argumentInWords(C, G.FirstParam),
                  sourceName(F), No.Why, No.Cure});
    return false;
  }
  if (memoryType(F, G.FirstParam)) {
    Roles.push_back(roleOfMemory(C, G, Classes));
    return true;
  }
  for (unsigned P = G.FirstParam; P != G.FirstParam + G.NumParams; ++P) {
    ParamRole R;
    R.Activity = activityOfValue(C, *F.getArg(P), G.T);
    Roles.push_back(R);
  }
  return true;
}

Type *adze::returnedType(const MarkerCall &C, ArrayRef<Group> Groups,
                         std::optional<unsigned> &Param) {
  for (const Group &G : Groups)
    if (G.ImplicitSRet) {
      Param = G.FirstParam;
      return memoryType(*C.Primal, G.FirstParam);
    }
  Type *Ty = C.Primal->getReturnType();
  return Ty->isVoidTy() ? nullptr : Ty;
}

/// Why the tag of the result does not fit it.
static Contradiction returnContradiction(const MarkerCall &C,
                                         const ScalarClasses &L) {
  if (C.Return == Tag::None)
    return {};
  if (C.NoReturn)
    return {"it is said to have no derivative", "say one of them"};
  if (!L.Floats && !L.Pointers)
    return {"it holds neither floats nor pointers", "leave the tag out"};
  if (C.Return == Tag::ActiveReturn)
    return L.Floats ? Contradiction()
                    : Contradiction{"it is a pointer",
                                    "use enzyme_dup_return in forward mode "
                                    "and with __enzyme_augmentfwd"};
  if (C.isForward() || (C.half() != SplitHalf::None && L.Pointers))
    return {};
  if (L.Floats)
    return {"in reverse mode its adjoint is given, and not returned",
            "use enzyme_active_return"};
  return {"one call of reverse mode is done with the shadow when it returns",
          "use __enzyme_augmentfwd, which returns the shadow, or "
          "enzyme_const_return"};
}

bool adze::assignReturn(const MarkerCall &C, Type *Returned, Diagnostics &Diags,
                        const Origin &From, RetActivity &Ret) {
  Ret = RetActivity::Const;
  ScalarClasses L;
  if (Returned)
    L = scalarClasses(Returned);
  if (Contradiction No = returnContradiction(C, L); !No.Why.empty()) {
    Diags.report(Diag::TagContradiction, From, C.Call,
                 {C.ReturnTagName.str(), "the result", sourceName(*C.Primal),
                  No.Why, No.Cure});
    return false;
  }
  if (!Returned || C.NoReturn)
    return true;
  if (C.isForward()) {
    if (L.mixed())
      Ret = RetActivity::ActiveDup;
    else if (L.Floats)
      Ret = RetActivity::Active;
    else if (L.Pointers)
      Ret = RetActivity::Dup;
    return true;
  }
  const bool GoesBack =
      C.half() == SplitHalf::None || C.half() == SplitHalf::Reverse;
  if (L.Floats > 1 && GoesBack && C.Seed.empty()) {
    Diags.report(Diag::SeveralResults, From, C.Call,
                 {sourceName(*C.Primal),
                  typeInWords(Returned, C.layout()) + " with several of them"});
    return false;
  }
  if (L.Floats)
    Ret = RetActivity::Active;
  // The first half of split mode returns the shadow of a pointer.
  if (C.half() != SplitHalf::None && L.Pointers)
    Ret = L.Floats ? RetActivity::ActiveDup : RetActivity::Dup;
  return true;
}
