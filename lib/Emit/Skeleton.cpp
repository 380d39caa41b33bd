// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, signatures and attributes of derivative functions.
#include "adze/AliasScopes.h"
#include "adze/Checkpoints.h"
#include "adze/Emit.h"
#include "adze/OwnFunction.h"
#include "adze/RuleContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

struct ParamSpec {
  Type *Ty;
  int FromArg; // argument of the primal it stands for; -1 for none
  bool IsShadow;
  bool IsCopy = false; // of what the primal reads behind FromArg
};

class Signature {
public:
  /// \p Source: the function of the program, \p Primal its canonical form.
  Signature(const Request &R, const Function &Primal, const Function &Source)
      : R(R), Primal(Primal), Source(Source), L(R.Width) {
    for (const Argument &Arg : Primal.args()) {
      unsigned K = Arg.getArgNo();
      Params.push_back({Arg.getType(), int(K), false});
      if (hasShadowParam(R.Args[K]))
        Params.push_back({L.dualType(Arg.getType()), int(K), true});
    }
  }

  void addReturnAdjoint() {
    if (retTakesAdjoint(R.Ret))
      Params.push_back({L.dualType(Primal.getReturnType()), -1, false});
  }
  void addCopies() {
    for (unsigned K : R.Copied)
      Params.push_back({Primal.getArg(K)->getType(), int(K), false, true});
  }
  void addTape() {
    Params.push_back({PointerType::getUnqual(Primal.getContext()), -1, false});
  }
  void returnPrimal() {
    if (R.ReturnPrimal)
      Results.push_back(Primal.getReturnType());
  }
  void returnDual() { Results.push_back(L.dualType(Primal.getReturnType())); }
  void returnAdjoints() {
    for (const Argument &Arg : Primal.args())
      if (returnsAdjoint(R.Args[Arg.getArgNo()]))
        Results.push_back(L.dualType(Arg.getType()));
  }

  /// The function itself, and nothing of derivatives.
  void likePrimal() {
    erase_if(Params, [](const ParamSpec &P) { return P.IsShadow; });
    Plain = Primal.getReturnType();
  }

  Function *declare(Module &M, const Twine &Name) {
    LLVMContext &C = M.getContext();
    SmallVector<Type *, 12> Types;
    for (const ParamSpec &P : Params)
      Types.push_back(P.Ty);
    Type *Ret =
        Results.empty() ? Type::getVoidTy(C) : StructType::get(C, Results);
    if (Plain)
      Ret = Plain;
    Function *F = createOwn(FunctionType::get(Ret, Types, false),
                            GlobalValue::InternalLinkage, Name, M);
    for (unsigned I = 0; I < Params.size(); ++I)
      describeParam(*F, I);
    copyTargetAttributes(*F);
    return F;
  }

private:
  /// What the primal only reads, the derivative only reads; its shadow is
  /// written. So a noalias argument may have a shadow that overlaps another:
  /// see AliasScopes.h. A plain argument is its own shadow.
  void describeParam(Function &F, unsigned I) {
    const ParamSpec &P = Params[I];
    if (P.FromArg < 0)
      return;
    const Argument *From = Primal.getArg(P.FromArg);
    if (P.IsCopy) { // nobody writes there
      F.getArg(I)->setName(From->getName() + ".copy");
      F.addParamAttr(I, Attribute::NoAlias);
      return;
    }
    F.getArg(I)->setName(From->getName() + (P.IsShadow ? ".shadow" : ""));
    // An outer derivative must know which integers are addresses.
    if (P.Ty->isIntegerTy() && unsigned(P.FromArg) < R.ArgumentFlags.size() &&
        (R.ArgumentFlags[P.FromArg] & IsHandle))
      F.addParamAttr(
          I, Attribute::get(F.getContext(), "adze_type", "{[0]:Pointer}"));
    if (!P.Ty->isPointerTy())
      return;
    if ((From->hasStructRetAttr() && !isPutAway(*From)) ||
        (!P.IsShadow && isExclusive(*From, R)))
      F.addParamAttr(I, Attribute::NoAlias);
    if (From->hasNonNullAttr(/*AllowUndefOrPoison=*/false) && !P.IsShadow)
      F.addParamAttr(I, Attribute::NonNull);
  }

  /// Who finds the address of what is returned in memory, another thread
  /// perhaps, uses it beside the argument: shadows come from the tape.
  static bool isPutAway(const Argument &Result) {
    return PointerMayBeCaptured(&Result, /*ReturnCaptures=*/false,
                                /*StoreCaptures=*/true);
  }

  void copyTargetAttributes(Function &F) {
    AttrBuilder Attributes(Primal.getContext(),
                           Primal.getAttributes().getFnAttrs());
    // What the program declares of the primal does not hold for derivatives.
    for (const Attribute &A : Attributes.attrs())
      if (A.isStringAttribute() &&
          !A.getKindAsString().starts_with("enzyme_") &&
          !A.getKindAsString().starts_with("adze."))
        F.addFnAttr(A);
    // What is promised of the primal's values says nothing of duals.
    for (StringRef Promise : {"no-nans-fp-math", "no-infs-fp-math"})
      F.removeFnAttr(Promise);
    // Unwinders pass through a derivative where they pass through the primal.
    // Whether it throws is known when all calls in it are: inferAttributes().
    if (Primal.hasFnAttribute(Attribute::UWTable))
      F.addFnAttr(Primal.getFnAttribute(Attribute::UWTable));
    if (Primal.hasFnAttribute(Attribute::StrictFP))
      F.addFnAttr(Attribute::StrictFP);
    // What the user, or the level of optimization, says of size, inlining and
    // of looking for races is meant of the derivatives, too. The canonical form
    // does without it.
    for (Attribute::AttrKind Kind :
         {Attribute::OptimizeForSize, Attribute::MinSize, Attribute::NoInline,
          Attribute::InlineHint, Attribute::Cold, Attribute::SanitizeThread})
      if (Source.hasFnAttribute(Kind))
        F.addFnAttr(Kind);
  }

  const Request &R;
  const Function &Primal;
  const Function &Source;
  Lanes L;
  SmallVector<ParamSpec, 12> Params;
  SmallVector<Type *, 8> Results;
  Type *Plain = nullptr; // what is returned as it is, if not Results
};

Signature forwardSignature(const Derivative &D, Function &F,
                           const Function &Source) {
  Signature S(D.Req, F, Source);
  S.returnPrimal();
  if (D.Req.Ret != RetActivity::Const)
    S.returnDual();
  return S;
}

} // namespace

void declareReplay(Derivative &D, Function &F, const Function &Source,
                   Module &M) {
  Signature Replay = forwardSignature(D, F, Source);
  Replay.addTape();
  D.Replay = Replay.declare(M, "adze.replay." + Source.getName());
  Signature Record(D.Req, F, Source);
  Record.likePrimal();
  Record.addTape();
  D.Record = Record.declare(M, "adze.recorder." + Source.getName());
  D.TapeType = recordType(M.getContext());
}

static void declareReverseKeepTape(Derivative &D) {
  const Function &From = *D.Reverse;
  D.ReverseKeepTape =
      createOwn(From.getFunctionType(), From.getLinkage(),
                From.getName() + ".keep", *D.Reverse->getParent());
  D.ReverseKeepTape->copyAttributesFrom(&From); // the mark among them
  for (auto [To, Arg] : zip(D.ReverseKeepTape->args(), From.args()))
    To.setName(Arg.getName());
}

void declareDerivative(Derivative &D, Function &F, const Function &Source,
                       Module &M) {
  const Request &R = D.Req;
  StringRef Name = Source.getName();
  if (R.Kind.isForward()) {
    D.Forward = forwardSignature(D, F, Source).declare(M, "adze.fwd." + Name);
    if (checkpoints::layoutOf(F))
      checkpoints::markForward(*D.Forward);
    return;
  }
  if (!R.Kind.isSplit()) {
    Signature S(R, F, Source);
    S.addReturnAdjoint();
    S.returnPrimal();
    S.returnAdjoints();
    D.Fused = S.declare(M, "adze.grad." + Name);
    return;
  }
  D.TapeType = StructType::create(M.getContext(), ("adze.tape." + Name).str());
  Signature Augmented(R, F, Source);
  Augmented.addTape();
  Augmented.returnPrimal();
  if (retHasShadow(R.Ret))
    Augmented.returnDual();
  D.Augmented = Augmented.declare(M, "adze.aug." + Name);
  Signature Reverse(R, F, Source);
  Reverse.addCopies();
  Reverse.addReturnAdjoint();
  Reverse.addTape();
  Reverse.returnAdjoints();
  D.Reverse = Reverse.declare(M, "adze.rev." + Name);
  if (R.RunsAgain)
    declareReverseKeepTape(D);
}

} // namespace adze
