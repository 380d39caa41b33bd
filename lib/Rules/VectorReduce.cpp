// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a vector v to a scalar.
//
//   y = s + sum_i v_i     dy = ds + sum_i dv_i       s' += y'   v_i' += y'
//   y = s * prod_i v_i    dy = sum over factors of (product of the others)
//                         times its tangent; products of the others by
//                         prefix and suffix products, right when some v_i = 0
//   y = max_i v_i, min    the derivative goes to the first element equal to y
//                         (to none if y is NaN)
#include "Rules.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

bool isVectorReduction(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmaximum:
  case Intrinsic::vector_reduce_fminimum:
    return true;
  default:
    return false;
  }
}

namespace {

class VectorReduceRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    switch (idOf(I)) {
    case Intrinsic::vector_reduce_fadd:
      return;
    case Intrinsic::vector_reduce_fmul:
      C.primal(I.getOperand(0));
      C.primal(I.getOperand(1));
      return;
    default:
      C.primal(I.getOperand(0));
      C.primal(&I);
    }
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    Value *Sum = nullptr;
    auto add = [&](Value *Partial, Value *Dual) {
      Sum = C.plus(Sum, C.product(Partial, Dual));
    };
    SmallVector<Value *, 8> Partials = partialsOf(I, C);
    unsigned VectorArg = vectorArgOf(I);
    if (VectorArg == 1)
      add(startPartial(I, C, Partials), C.dual(I.getOperand(0)));
    Value *Dual = C.dual(I.getOperand(VectorArg));
    for (unsigned K = 0; K < Partials.size(); ++K)
      add(Partials[K], C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) {
        return C.B.CreateExtractElement(D[0], K);
      }));
    C.setDual(&I, Sum);
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    SmallVector<Value *, 8> Partials = partialsOf(I, C);
    unsigned VectorArg = vectorArgOf(I);
    if (VectorArg == 1 && C.isActive(I.getOperand(0)))
      C.addAdjoint(I.getOperand(0),
                   C.product(startPartial(I, C, Partials), Adjoint));
    const Value *Vector = I.getOperand(VectorArg);
    if (!C.isActive(Vector))
      return;
    SmallVector<Value *, 8> Elements;
    for (Value *Partial : Partials)
      Elements.push_back(C.product(Partial, Adjoint));
    C.addAdjoint(Vector, C.L.map(C.B, Elements, [&](ArrayRef<Value *> E) {
      Value *Packed = PoisonValue::get(Vector->getType());
      for (unsigned K = 0; K < E.size(); ++K)
        Packed = C.B.CreateInsertElement(Packed, E[K], K);
      return Packed;
    }));
  }

private:
  static Intrinsic::ID idOf(const Instruction &I) {
    return cast<IntrinsicInst>(I).getIntrinsicID();
  }
  static unsigned vectorArgOf(const Instruction &I) {
    return cast<IntrinsicInst>(I).arg_size() == 2 ? 1 : 0;
  }

  /// d out / d v_i for every element.
  static SmallVector<Value *, 8> partialsOf(const Instruction &I,
                                            EmitContext &C) {
    const Value *Vector = I.getOperand(vectorArgOf(I));
    unsigned N = cast<FixedVectorType>(Vector->getType())->getNumElements();
    Type *Ty = I.getType();
    SmallVector<Value *, 8> Partials(N, ConstantFP::get(Ty, 1.0));
    if (idOf(I) == Intrinsic::vector_reduce_fadd)
      return Partials;
    Value *V = C.primal(Vector);
    SmallVector<Value *, 8> Elements;
    for (unsigned K = 0; K < N; ++K)
      Elements.push_back(C.B.CreateExtractElement(V, K));
    if (idOf(I) == Intrinsic::vector_reduce_fmul) {
      Value *Before = C.primal(I.getOperand(0));
      for (unsigned K = 0; K < N; ++K) {
        Partials[K] = Before;
        Before = C.B.CreateFMul(Before, Elements[K]);
      }
      Value *After = nullptr;
      for (unsigned K = N; K-- > 0;) {
        if (After)
          Partials[K] = C.B.CreateFMul(Partials[K], After);
        After = After ? C.B.CreateFMul(After, Elements[K]) : Elements[K];
      }
      return Partials;
    }
    Value *Out = C.primal(&I);
    Value *Free = C.B.getTrue();
    for (unsigned K = 0; K < N; ++K) {
      Value *Wins = C.B.CreateAnd(Free, C.B.CreateFCmpOEQ(Elements[K], Out));
      Partials[K] = C.B.CreateSelect(Wins, ConstantFP::get(Ty, 1.0),
                                     ConstantFP::get(Ty, 0.0));
      Free = C.B.CreateAnd(Free, C.B.CreateNot(Wins));
    }
    return Partials;
  }

  /// d out / d start: 1 for sums, the product of all elements for products.
  static Value *startPartial(const Instruction &I, EmitContext &C,
                             ArrayRef<Value *> Partials) {
    if (idOf(I) == Intrinsic::vector_reduce_fadd)
      return Partials[0];
    Value *V = C.primal(I.getOperand(1));
    Value *Product = nullptr;
    for (unsigned K = 0; K < Partials.size(); ++K) {
      Value *E = C.B.CreateExtractElement(V, K);
      Product = Product ? C.B.CreateFMul(Product, E) : E;
    }
    return Product;
  }
};

} // namespace

const Rule &vectorReduceRule() {
  static const VectorReduceRule R;
  return R;
}

} // namespace adze
