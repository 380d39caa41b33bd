// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   y = c ? a : b      dy = c ? da : db
//                      a' += c ? y' : 0     b' += c ? 0 : y'
#include "Rules.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

class SelectRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (C.isActive(&I))
      C.primal(cast<SelectInst>(I).getCondition());
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    auto &S = cast<SelectInst>(I);
    Value *Condition = C.primal(S.getCondition());
    C.setDual(&I, C.L.map(C.B,
                          {C.dualFor(S, S.getTrueValue()),
                           C.dualFor(S, S.getFalseValue())},
                          [&](ArrayRef<Value *> D) {
                            return C.B.CreateSelect(Condition, D[0], D[1]);
                          }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    auto &S = cast<SelectInst>(I);
    Value *Condition = C.primal(S.getCondition());
    Value *Zero = C.L.zero(I.getType());
    auto choose = [&](Value *Then, Value *Else) {
      return C.L.map(C.B, {Then, Else}, [&](ArrayRef<Value *> D) {
        return C.B.CreateSelect(Condition, D[0], D[1]);
      });
    };
    if (C.isActive(S.getTrueValue()))
      C.addAdjoint(S.getTrueValue(), choose(Adjoint, Zero));
    if (C.isActive(S.getFalseValue()))
      C.addAdjoint(S.getFalseValue(), choose(Zero, Adjoint));
  }
};

} // namespace

const Rule &selectRule() {
  static const SelectRule R;
  return R;
}

} // namespace adze
