// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts that keep the number: linear, so no primal value is read.
//
//   y = fpext x     dy = fpext dx      x' += fptrunc y'
//   y = fptrunc x   dy = fptrunc dx    x' += fpext y'
//   y = bitcast x   dy = bitcast dx    x' += bitcast y'
//   y = freeze x    dy = dx            x' += y'
#include "FloatBits.h"
#include "Rules.h"

using namespace llvm;

namespace adze {

namespace {

class CastRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    // Sums of such adjoints would be sums of parts of floats.
    Type *From = I.getOperand(0)->getType(), *To = I.getType();
    if (isa<BitCastInst>(I) && C.isActive(&I) && From->isFPOrFPVectorTy() &&
        To->isFPOrFPVectorTy() &&
        From->getScalarSizeInBits() != To->getScalarSizeInBits())
      C.refuse(I, Diag::UnsupportedInstruction,
               {"active floats taken for floats of another size"});
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    C.setDual(&I, convert(C, C.dual(I.getOperand(0)), I.getType()));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    if (I.getType()->isIntegerTy() &&
        I.getOperand(0)->getType()->isFloatingPointTy())
      C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) -> Value * {
        emitStopIfTail(C.B, &I, A[0], C.facts());
        return nullptr;
      });
    C.addAdjoint(I.getOperand(0),
                 convert(C, Adjoint, I.getOperand(0)->getType()));
  }

private:
  static Value *convert(EmitContext &C, Value *Dual, Type *To) {
    return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
      Type *From = D[0]->getType();
      if (From == To)
        return D[0];
      if (From->isFPOrFPVectorTy() && To->isFPOrFPVectorTy() &&
          From->getScalarSizeInBits() != To->getScalarSizeInBits())
        return C.B.CreateFPCast(D[0], To);
      return C.B.CreateBitCast(D[0], To);
    });
  }
};

} // namespace

const Rule &castRule() {
  static const CastRule R;
  return R;
}

} // namespace adze
