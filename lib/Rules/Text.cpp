// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that find a place in memory (strchr, memchr), or write text
// (strcpy, snprintf, fgets). Text has no derivative, so the shadow of the
// memory stays as it is. A pointer that they return leads into the memory they
// were given, and its shadow to the same place in the shadow of that:
//
//   q = strcpy p, s      dq = q ? dp + (q - p) : 0      nothing in reverse
//
// Memory in which floats were seen is refused: the derivatives of what was
// overwritten would have to become zero, and nothing says how far.
#include "Rules.h"
#include "adze/KnownFunction.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

namespace {

class WithinRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    const KnownFunction *Known = lookupKnown(cast<CallBase>(I));
    const Value *To = I.getOperand(std::max(Known->Within, 0));
    if (!I.getType()->isPointerTy())
      return C.setDual(&I, C.L.zero(I.getType()));
    Value *Found = C.primal(&I), *None = Constant::getNullValue(I.getType());
    Value *Nothing = C.B.CreateICmpEQ(Found, None);
    Value *Distance = C.B.CreatePtrDiff(C.B.getInt8Ty(), Found, C.primal(To));
    C.setDual(&I, C.L.map(C.B, {C.dual(To)}, [&](ArrayRef<Value *> D) {
      Value *At = C.B.CreateGEP(C.B.getInt8Ty(), D[0], Distance);
      return C.B.CreateSelect(Nothing, None, At);
    }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

class TextRule : public WithinRule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    const Value *To = I.getOperand(0);
    if (!To->getType()->isPointerTy() || !C.hasShadow(To))
      return;
    BlockLayout Layout = C.facts().Types->memoryLayout(To, 1);
    if (!Layout.has(ConcreteType::Integer))
      C.refuse(I, Diag::UnsupportedInstruction,
               {"text is written to memory of floats by " +
                describe(cast<CallBase>(I).getCalledOperand())});
  }
};

} // namespace

const Rule &textRule() {
  static const TextRule R;
  return R;
}

const Rule &withinRule() {
  static const WithinRule R;
  return R;
}

} // namespace adze
