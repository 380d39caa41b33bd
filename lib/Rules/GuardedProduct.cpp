// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   y = p d, zero where d is      dy = p dd + d dp
//                                 d' += p y'    p' += d y'
// with both guarded in turn: of p dd the dual is the second factor, of d dp
// both matter, since d may be zero where dp is infinite.
#include "adze/GuardedProduct.h"
#include "Rules.h"

using namespace llvm;

namespace adze {

namespace {

class GuardedProductRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.isActive(&I))
      return;
    auto [First, Second] = factorsOf(I);
    if (C.isActive(Second))
      C.primal(First);
    if (C.isActive(First))
      C.primal(Second);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    IRBuilderBase::FastMathFlagGuard Guard(C.B);
    C.B.setFastMathFlags(flagsOfDerivative(I));
    auto [First, Second] = factorsOf(I);
    Value *Sum = nullptr;
    if (C.isActive(Second))
      Sum = C.product(C.primal(First), C.dual(Second));
    if (C.isActive(First)) {
      Sum = C.plus(Sum, ofBoth(C.primal(Second), C.dual(First), C));
    }
    C.setDual(&I, Sum ? Sum : C.L.zero(I.getType()));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    IRBuilderBase::FastMathFlagGuard Guard(C.B);
    C.B.setFastMathFlags(flagsOfDerivative(I));
    auto [First, Second] = factorsOf(I);
    if (C.isActive(Second))
      C.addAdjoint(Second, C.product(C.primal(First), Adjoint));
    if (C.isActive(First))
      C.addAdjoint(First, ofBoth(C.primal(Second), Adjoint, C));
  }

private:
  static std::pair<const Value *, const Value *>
  factorsOf(const Instruction &I) {
    return {I.getOperand(0), I.getOperand(1)};
  }

  static Value *ofBoth(Value *Factor, Value *Dual, EmitContext &C) {
    return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) {
      return guardedProduct(C.B, Factor, D[0], KeptZeros::OfBoth);
    });
  }
};

} // namespace

const Rule &guardedProductRule() {
  static const GuardedProductRule R;
  return R;
}

} // namespace adze
