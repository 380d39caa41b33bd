// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that write text (strcpy, snprintf, fgets). Text has no
// derivative, so the shadow of the memory stays as it is:
//
//   q = strcpy p, s      dq = dp + (q - p)      nothing in reverse
//
// Memory in which floats were seen is refused: the derivatives of what was
// overwritten would have to become zero, and nothing says how far.
#include "Rules.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

namespace {

class TextRule : public Rule {
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

  void propagate(const Instruction &I, TangentContext &C) const override {
    if (!C.carries(&I))
      return;
    const Value *To = I.getOperand(0);
    if (!I.getType()->isPointerTy())
      return C.setDual(&I, C.L.zero(I.getType()));
    Value *Distance =
        C.B.CreatePtrDiff(C.B.getInt8Ty(), C.primal(&I), C.primal(To));
    C.setDual(&I, C.L.map(C.B, {C.dual(To)}, [&](ArrayRef<Value *> D) {
      return C.B.CreateGEP(C.B.getInt8Ty(), D[0], Distance);
    }));
  }

  void reverse(const Instruction &, ReverseContext &) const override {}
};

} // namespace

const Rule &textRule() {
  static const TextRule R;
  return R;
}

} // namespace adze
