// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minimum and maximum of integers: one of the two as it stands, whatever its
// bits mean.
//
//   y = smax a, b      dy = a > b ? da : db
//                      a' += a > b ? y' : 0     b' += a > b ? 0 : y'
#include "Rules.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

class IntegerChoiceRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.isActive(&I))
      return;
    C.primal(I.getOperand(0));
    C.primal(I.getOperand(1));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    Value *First = takesFirst(I, C);
    C.setDual(&I,
              C.L.map(C.B, {C.dual(I.getOperand(0)), C.dual(I.getOperand(1))},
                      [&](ArrayRef<Value *> D) {
                        return C.B.CreateSelect(First, D[0], D[1]);
                      }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    if (!Adjoint)
      return;
    Value *First = takesFirst(I, C);
    Constant *Zero = Constant::getNullValue(I.getType());
    for (unsigned K = 0; K < 2; ++K)
      if (C.isActive(I.getOperand(K)))
        C.addAdjoint(I.getOperand(K),
                     C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
                       return K == 0 ? C.B.CreateSelect(First, A[0], Zero)
                                     : C.B.CreateSelect(First, Zero, A[0]);
                     }));
  }

private:
  static Value *takesFirst(const Instruction &I, EmitContext &C) {
    return C.B.CreateICmp(cast<MinMaxIntrinsic>(I).getPredicate(),
                          C.primal(I.getOperand(0)), C.primal(I.getOperand(1)));
  }
};

} // namespace

const Rule &integerChoiceRule() {
  static const IntegerChoiceRule R;
  return R;
}

} // namespace adze
