// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex functions, by their rows (see adze/ComplexFunction.h).
//
//   holomorphic   dw = sum_k f_k(z) dz_k       zbar_k += conj(f_k(z)) wbar
//   by parts      dw_r = sum_c J_rc dz_c       zbar_c += sum_r J_rc wbar_r
//
// Prepare has brought the calls to the form in which the parts are separate
// operands, so every product here is one of real numbers.
#include "Rules.h"
#include "adze/ComplexFunction.h"
#include "adze/ExprEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

class ComplexRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override;
  void propagate(const Instruction &I, ForwardSweepContext &C) const override;
  void reverse(const Instruction &I, ReverseContext &C) const override;

private:
  static const ComplexRow *rowOf(const Instruction &I) {
    return complexRowOf(cast<CallBase>(I));
  }
  static bool takesPart(const Instruction &I, unsigned Operand,
                        const RuleContext &C) {
    return C.isActive(I.getOperand(2 * Operand)) ||
           C.isActive(I.getOperand(2 * Operand + 1));
  }
};

/// A pair of duals; null is zero.
struct DualPair {
  Value *Re = nullptr;
  Value *Im = nullptr;
};

/// Sums and products of duals, lane by lane, in which null is zero.
class DualArithmetic {
public:
  explicit DualArithmetic(EmitContext &C) : C(C) {}
  Value *add(Value *X, Value *Y) { return C.plus(X, Y); }
  Value *negate(Value *X) {
    return X ? C.L.map(
                   C.B, {X},
                   [&](ArrayRef<Value *> D) { return C.B.CreateFNeg(D[0]); })
             : nullptr;
  }
  Value *times(Value *Partial, Value *Dual) {
    if (!Partial || !Dual)
      return nullptr;
    if (auto *N = dyn_cast<ConstantFP>(Partial); N && N->isZero())
      return nullptr;
    return C.product(Partial, Dual, /*PartialIsFinite=*/isa<Constant>(Partial));
  }
  DualPair times(ComplexValue F, DualPair D) {
    return {add(times(F.Re, D.Re), negate(times(F.Im, D.Im))),
            add(times(F.Re, D.Im), times(F.Im, D.Re))};
  }
  DualPair add(DualPair X, DualPair Y) {
    return {add(X.Re, Y.Re), add(X.Im, Y.Im)};
  }

private:
  EmitContext &C;
};

} // namespace

static Type *partTypeOf(const Instruction &I) {
  return I.getOperand(0)->getType();
}

/// What the code below reads of the primal: both parts of the operands that
/// occur in partials of operands that take part.
template <typename UseArg, typename UseResult>
static void forEachRead(const ComplexRow &Row, unsigned Operand, UseArg Arg,
                        UseResult Result) {
  auto Visit = [&](const Expr &E, unsigned PartsPerArg) {
    ExprReads Reads = readsOf(E);
    for (unsigned Index : Reads.Args)
      for (unsigned K = 0; K != PartsPerArg; ++K)
        Arg(PartsPerArg * Index + K);
    if (Reads.Result)
      Result();
  };
  if (Row.isHolomorphic())
    return Visit(Row.Partials[Operand], 2);
  for (const auto &Part : Row.Jacobian)
    for (unsigned K : {0, 1})
      Visit(Part[2 * Operand + K], 1);
}

/// The derivative by complex operand \p Operand of a holomorphic row.
static ComplexValue emitPartial(const Instruction &I, const ComplexRow &Row,
                                unsigned Operand, EmitContext &C) {
  SmallVector<ComplexValue, 2> Args(Row.NumOperands);
  ComplexValue Result;
  forEachRead(
      Row, Operand,
      [&](unsigned K) {
        Value *V = C.primal(I.getOperand(K));
        (K % 2 ? Args[K / 2].Im : Args[K / 2].Re) = V;
      },
      [&] {
        Value *V = C.primal(&I);
        Result = {C.B.CreateExtractValue(V, 0), C.B.CreateExtractValue(V, 1)};
      });
  ComplexValue F =
      emitComplexExpr(C.B, Row.Partials[Operand], Args, Result, partTypeOf(I));
  if (F)
    return F;
  Constant *None = ConstantFP::getNaN(partTypeOf(I)); // refused by needs()
  return {None, None};
}

/// One entry of the Jacobian of a row that is not holomorphic.
static Value *emitEntry(const Instruction &I, const ComplexRow &Row,
                        unsigned Part, unsigned Operand, EmitContext &C) {
  const Expr &E = Row.Jacobian[Part][Operand];
  if (!E)
    return nullptr;
  ExprReads Reads = readsOf(E);
  SmallVector<Value *, 4> Args(2 * Row.NumOperands, nullptr);
  for (unsigned Index : Reads.Args)
    Args[Index] = C.primal(I.getOperand(Index));
  Value *Result = Reads.Result ? C.primal(&I) : nullptr;
  Value *V = emitExpr(C.B, E, Args, Result, partTypeOf(I));
  return V ? V : ConstantFP::getNaN(partTypeOf(I)); // refused by needs()
}

void ComplexRule::needs(const Instruction &I, NeedsContext &C) const {
  const ComplexRow *Row = rowOf(I);
  auto *Call = cast<CallBase>(&I);
  auto Refuse = [&] {
    C.refuse(I, Diag::UnsupportedInstruction,
             {"a call of the complex function " +
              describe(Call->getCalledOperand())});
  };
  if (!Row)
    return Refuse();
  Module &M = *const_cast<Module *>(I.getModule());
  for (unsigned K = 0; K != Row->NumOperands; ++K) {
    if (!takesPart(I, K, C))
      continue;
    if (Row->isHolomorphic() &&
        !canEmitComplexExpr(M, Row->Partials[K], partTypeOf(I)))
      return Refuse();
    forEachRead(
        *Row, K, [&](unsigned Part) { C.primal(I.getOperand(Part)); },
        [&] { C.primal(&I); });
  }
}

void ComplexRule::propagate(const Instruction &I,
                            ForwardSweepContext &C) const {
  if (!C.carries(&I))
    return;
  const ComplexRow *Row = rowOf(I);
  if (!Row) // refused by needs()
    return C.setDual(&I, C.L.zero(I.getType()));
  DualArithmetic A(C);
  auto DualOf = [&](unsigned K) {
    const Value *V = I.getOperand(K);
    return C.carries(V) ? C.dual(V) : nullptr;
  };
  DualPair Sum;
  for (unsigned K = 0; K != Row->NumOperands; ++K) {
    if (!takesPart(I, K, C))
      continue;
    DualPair D{DualOf(2 * K), DualOf(2 * K + 1)};
    if (Row->isHolomorphic()) {
      Sum = A.add(Sum, A.times(emitPartial(I, *Row, K, C), D));
      continue;
    }
    for (unsigned Part = 0; Part != Row->Jacobian.size(); ++Part) {
      Value *&To = Part ? Sum.Im : Sum.Re;
      To = A.add(To, A.times(emitEntry(I, *Row, Part, 2 * K, C), D.Re));
      To = A.add(To, A.times(emitEntry(I, *Row, Part, 2 * K + 1, C), D.Im));
    }
  }
  Value *Zero = C.L.zero(partTypeOf(I));
  Value *Re = Sum.Re ? Sum.Re : Zero, *Im = Sum.Im ? Sum.Im : Zero;
  if (Row->RealResult)
    return C.setDual(&I, Re);
  C.setDual(&I, C.L.map(C.B, {Re, Im}, [&](ArrayRef<Value *> D) {
    Value *Pair = PoisonValue::get(I.getType());
    return C.B.CreateInsertValue(C.B.CreateInsertValue(Pair, D[0], 0), D[1], 1);
  }));
}

void ComplexRule::reverse(const Instruction &I, ReverseContext &C) const {
  const ComplexRow *Row = rowOf(I);
  Value *Adjoint = Row && C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
  if (!Adjoint)
    return;
  auto PartOf = [&](unsigned K) {
    return C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> D) {
      return C.B.CreateExtractValue(D[0], K);
    });
  };
  DualPair Bar{Row->RealResult ? Adjoint : PartOf(0),
               Row->RealResult ? nullptr : PartOf(1)};
  DualArithmetic A(C);
  for (unsigned K = 0; K != Row->NumOperands; ++K) {
    if (!takesPart(I, K, C))
      continue;
    DualPair To;
    if (Row->isHolomorphic()) {
      ComplexValue F = emitPartial(I, *Row, K, C);
      To = A.times({F.Re, C.B.CreateFNeg(F.Im)}, Bar);
    } else {
      for (unsigned Part = 0; Part != Row->Jacobian.size(); ++Part) {
        Value *From = Part ? Bar.Im : Bar.Re;
        To = A.add(To, {A.times(emitEntry(I, *Row, Part, 2 * K, C), From),
                        A.times(emitEntry(I, *Row, Part, 2 * K + 1, C), From)});
      }
    }
    C.addAdjoint(I.getOperand(2 * K), To.Re);
    C.addAdjoint(I.getOperand(2 * K + 1), To.Im);
  }
}

const Rule *complexRule(StringRef) {
  static const ComplexRule R;
  return &R;
}

} // namespace adze
