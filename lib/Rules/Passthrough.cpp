// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that return an operand unchanged, and operations whose derivative is
// zero wherever it exists although active data goes in.
#include "Rules.h"

using namespace llvm;

namespace adze {

namespace {

///   y = x      dy = dx      x' += y'
class PassthroughRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}
  void propagate(const Instruction &I, TangentContext &C) const override {
    if (C.carries(&I))
      C.setDual(&I, C.dual(I.getOperand(0)));
  }
  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.isActive(&I))
      return;
    if (Value *Adjoint = C.takeAdjoint(&I))
      C.addAdjoint(I.getOperand(0), Adjoint);
  }
};

///   y = step(x)      dy = 0      x' += 0
class ZeroRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}
  void propagate(const Instruction &I, TangentContext &C) const override {
    if (C.carries(&I))
      C.setDual(&I, C.L.zero(I.getType()));
  }
  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (C.isActive(&I))
      C.takeAdjoint(&I);
  }
};

} // namespace

const Rule &passthroughRule() {
  static const PassthroughRule R;
  return R;
}

const Rule &zeroRule() {
  static const ZeroRule R;
  return R;
}

} // namespace adze
