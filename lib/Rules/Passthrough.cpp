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
  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
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
  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (C.carries(&I))
      C.setDual(&I,
                returnsOwnMemory(I) ? C.dualOrSelf(&I) : C.L.zero(I.getType()));
  }
  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (C.isActive(&I))
      C.takeAdjoint(&I);
  }

private:
  /// Members of classes of which no object is active (std::string): a pointer
  /// from them is to what they hold. Others may point into active data, where
  /// a shadow that is the pointer itself would be wrong and null is not used
  /// unnoticed.
  static bool returnsOwnMemory(const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    return Known && Known->OfInactiveClass;
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
