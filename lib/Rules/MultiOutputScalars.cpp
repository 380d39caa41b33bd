// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar functions with several outputs, some of them stored through pointers
// (sincos, modf, frexp, remquo, lgamma_r). Each output y_k has its own row:
//
//   dy_k = sum_i  dy_k/dx_i * dx_i          returned, or stored to shadow
//   x_i' += sum_k dy_k/dx_i * y_k'          y_k' taken from the result's
//                                           adjoint, or from shadow memory,
//                                           which then becomes zero
#include "Rules.h"
#include "adze/ExprEmitter.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

namespace {

class OutScalarRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    for (const OutputRow &Out : outputsOf(I)) {
      if (!takesPart(I, Out, C))
        continue;
      if (Out.Place != OutputRow::Returned)
        C.shadow(I.getOperand(Out.Place));
      forEachPartial(I, Out, C, [&](unsigned, const Expr &Partial) {
        needPartial(I, Partial, floatTypeOf(I), C);
      });
    }
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    bool Floats = C.carriesFloats();
    Value *Whole = C.carries(&I) ? C.L.zero(I.getType()) : nullptr;
    for (const OutputRow &Out : outputsOf(I)) {
      bool Stored = Out.Place != OutputRow::Returned;
      if (!takesPart(I, Out, C) || !Floats)
        continue;
      Value *Sum = nullptr;
      forEachPartial(I, Out, C, [&](unsigned Index, const Expr &Partial) {
        Sum = C.plus(Sum, C.product(emit(I, Out, C, Partial),
                                    C.dual(I.getOperand(Index)),
                                    isFinitePartial(I, Partial, C.facts())));
      });
      if (!Sum)
        Sum = C.L.zero(floatTypeOf(I));
      if (Stored)
        C.L.map(C.B, {C.dual(I.getOperand(Out.Place)), Sum},
                [&](ArrayRef<Value *> D) -> Value * {
                  Value *Place = C.writable(I.getOperand(Out.Place), D[0],
                                            D[1]->getType());
                  return C.B.CreateStore(D[1], Place), nullptr;
                });
      else if (I.getType()->isStructTy())
        Whole = C.L.map(C.B, {Whole, Sum}, [&](ArrayRef<Value *> D) {
          return C.B.CreateInsertValue(D[0], D[1], Out.Element);
        });
      else
        Whole = Sum;
    }
    if (C.carries(&I))
      C.setDual(&I, Whole);
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Whole = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    for (const OutputRow &Out : outputsOf(I)) {
      bool Stored = Out.Place != OutputRow::Returned;
      if (!takesPart(I, Out, C) || (!Stored && !Whole))
        continue;
      Value *Adjoint = Stored ? takeStored(I, Out, C) : Whole;
      if (!Stored && I.getType()->isStructTy())
        Adjoint = C.L.map(C.B, {Whole}, [&](ArrayRef<Value *> A) {
          return C.B.CreateExtractValue(A[0], Out.Element);
        });
      forEachPartial(I, Out, C, [&](unsigned Index, const Expr &Partial) {
        C.addAdjoint(I.getOperand(Index),
                     C.product(emit(I, Out, C, Partial), Adjoint,
                               isFinitePartial(I, Partial, C.facts())));
      });
    }
  }

private:
  static ArrayRef<OutputRow> outputsOf(const Instruction &I) {
    return lookupKnown(cast<CallBase>(I))->Outputs;
  }

  static Type *floatTypeOf(const Instruction &I) {
    return I.getOperand(0)->getType();
  }

  static bool takesPart(const Instruction &I, const OutputRow &Out,
                        const RuleContext &C) {
    return Out.Place == OutputRow::Returned
               ? C.isActive(&I)
               : C.hasShadow(I.getOperand(Out.Place));
  }

  static void forEachPartial(const Instruction &I, const OutputRow &Out,
                             const RuleContext &C,
                             function_ref<void(unsigned, const Expr &)> Body) {
    for (unsigned Index = 0; Index < Out.Row.Partials.size(); ++Index)
      if (Out.Row.Partials[Index] && C.isActive(I.getOperand(Index)))
        Body(Index, Out.Row.Partials[Index]);
  }

  /// The adjoint of an output stored to memory; its shadow becomes zero.
  static Value *takeStored(const Instruction &I, const OutputRow &Out,
                           ReverseContext &C) {
    Type *Ty = floatTypeOf(I);
    const Value *Ptr = I.getOperand(Out.Place);
    return C.L.map(C.B, {C.shadow(Ptr)}, [&](ArrayRef<Value *> D) {
      Value *Adjoint =
          C.zeroIfSelfShadowed(Ptr, D[0], C.B.CreateLoad(Ty, D[0]));
      C.B.CreateStore(Constant::getNullValue(Ty), C.writable(Ptr, D[0], Ty));
      return Adjoint;
    });
  }

  static Value *emit(const Instruction &I, const OutputRow &Out, EmitContext &C,
                     const Expr &Partial) {
    ExprReads Reads = readsOf(Partial);
    SmallVector<Value *, 3> Args(I.getNumOperands(), nullptr);
    for (unsigned Index : Reads.Args)
      Args[Index] = C.primal(I.getOperand(Index));
    Value *Result = nullptr;
    if (Reads.Result) {
      Result = C.primal(&I);
      if (I.getType()->isStructTy())
        Result = C.B.CreateExtractValue(Result, Out.Element);
    }
    Value *V = emitExpr(C.B, Partial, Args, Result, floatTypeOf(I));
    return V ? V : ConstantFP::getNaN(floatTypeOf(I)); // refused by needs()
  }
};

} // namespace

const Rule *outScalarRule(StringRef) {
  static const OutScalarRule R;
  return &R;
}

} // namespace adze
