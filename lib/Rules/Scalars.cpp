// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar rules: one row of partials, three contexts.
//
//   y = f(x_1, .., x_n)      dy = sum_i  df/dx_i * dx_i        (propagate)
//                            x_i' += df/dx_i * y'              (reverse)
//
// Needs walks the same expressions that propagate and reverse emit.
#include "Rules.h"
#include "adze/ExprEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

const ScalarRow *scalarRowOf(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    const KnownFunction *Known = lookupKnown(*Call);
    return Known && Known->Facts.By == Derivation::Partials ? &Known->Row
                                                            : nullptr;
  }
  return arithmeticRow(I.getOpcode());
}

FastMathFlags flagsOfDerivative(const Instruction &I) {
  FastMathFlags Flags = I.getFastMathFlags();
  Flags.setNoNaNs(false);
  Flags.setNoInfs(false);
  return Flags;
}

void needPartial(const Instruction &I, const Expr &Partial, Type *Ty,
                 NeedsContext &C) {
  if (!canEmitExpr(*const_cast<Module *>(I.getModule()), Partial, Ty))
    C.refuse(I, Diag::UnsupportedInstruction,
             {"its derivative calls a function that this type or target "
              "does not have"});
  ExprReads Reads = readsOf(Partial);
  for (unsigned Index : Reads.Args)
    C.primal(I.getOperand(Index));
  if (Reads.Result)
    C.primal(&I);
}

ZeroGuards zeroGuardsOf(const Facts &F) {
  return F.R.StrongZero ? ZeroGuards::All : Options::get().StrongZero;
}

bool isFinitePartial(const Instruction &I, const Expr &Partial,
                     const Facts &F) {
  if (isAlwaysFinite(Partial))
    return true;
  bool IsPromised = isa<FPMathOperator>(&I) && I.hasNoNaNs() && I.hasNoInfs();
  if (zeroGuardsOf(F) == ZeroGuards::All && !IsPromised)
    return false;
  // An exponential may overflow in a program that goes on well with its result
  // (1 / (1 + exp(-x))).
  return isFiniteOfFinite(Partial, /*Result=*/IsPromised) &&
         !F.Runs->mayBeSpeculated(I);
}

namespace {

class ScalarRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    forEachPartial(I, C, [&](unsigned, const Expr &Partial) {
      needPartial(I, Partial, I.getType(), C);
    });
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    IRBuilderBase::FastMathFlagGuard Guard(C.B);
    setFlags(I, C);
    Value *Tangent = nullptr;
    forEachPartial(I, C, [&](unsigned Index, const Expr &Partial) {
      Tangent = C.plus(
          Tangent, C.product(emit(I, C, Partial), C.dual(I.getOperand(Index)),
                             isFinitePartial(I, Partial, C.facts())));
    });
    C.setDual(&I, Tangent ? Tangent : C.L.zero(I.getType()));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    IRBuilderBase::FastMathFlagGuard Guard(C.B);
    setFlags(I, C);
    forEachPartial(I, C, [&](unsigned Index, const Expr &Partial) {
      C.addAdjoint(I.getOperand(Index),
                   C.product(emit(I, C, Partial), Adjoint,
                             isFinitePartial(I, Partial, C.facts())));
    });
  }

private:
  /// The derivative may reassociate as the primal may, and no further.
  static void setFlags(const Instruction &I, EmitContext &C) {
    if (isa<FPMathOperator>(&I))
      C.B.setFastMathFlags(flagsOfDerivative(I));
  }

  static void forEachPartial(const Instruction &I, const RuleContext &C,
                             function_ref<void(unsigned, const Expr &)> Body) {
    const ScalarRow *Row = scalarRowOf(I);
    for (unsigned Index = 0; Index < Row->Partials.size(); ++Index)
      if (Row->Partials[Index] && C.isActive(I.getOperand(Index)))
        Body(Index, Row->Partials[Index]);
  }

  static Value *emit(const Instruction &I, EmitContext &C,
                     const Expr &Partial) {
    ExprReads Reads = readsOf(Partial);
    SmallVector<Value *, 3> Args(I.getNumOperands(), nullptr);
    for (unsigned Index : Reads.Args)
      Args[Index] = C.primal(I.getOperand(Index));
    Value *Result = Reads.Result ? C.primal(&I) : nullptr;
    Value *V = emitExpr(C.B, Partial, Args, Result, I.getType());
    return V ? V : ConstantFP::getNaN(I.getType()); // refused by needs()
  }
};

} // namespace

const Rule &scalarRule() {
  static const ScalarRule R;
  return R;
}

} // namespace adze
