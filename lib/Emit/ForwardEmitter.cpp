// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ForwardEmitter.h"
#include "adze/Emit.h"
#include "adze/NotFinite.h"
#include "adze/Options.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

Value *ForwardEmitter::storageOf(const AllocaInst *A, bool Shadow) {
  if (!Shadow)
    return copyAlloca(*A, Out, A->getName());
  return L.make(B, A->getType(),
                [&] { return copyAlloca(*A, Out, A->getName() + ".shadow"); });
}

namespace {

/// Under -adze-trap-nan.
class TrappedForwardEmitter final : public ForwardEmitter {
public:
  using ForwardEmitter::ForwardEmitter;

protected:
  void afterInstruction(const Instruction &I) override {
    if (P.Rules.contains(&I))
      watch(I);
  }

private:
  /// Reports where the tangent of \p I stops being finite.
  void watch(const Instruction &I) {
    bool IsSum = I.getOpcode() == Instruction::FAdd ||
                 I.getOpcode() == Instruction::FSub;
    if (!carries(&I) || !(IsSum || mayLeaveFinite(I)))
      return;
    SmallVector<Value *, 8> Finite{primal(&I)};
    for (const Use &Operand : I.operands()) {
      if (!Operand->getType()->isFPOrFPVectorTy())
        continue;
      Finite.push_back(primal(Operand));
      if (carries(Operand))
        Finite.push_back(dual(Operand));
    }
    reportNotFinite(B, Finite, dual(&I),
                    operationText(I, "the tangent of", *F.P->F),
                    "the primal is finite");
  }
};

} // namespace

void emitForward(const Facts &F, const Plan &P, const Derivative &D) {
  IRBuilder<> B(
      BasicBlock::Create(D.Forward->getContext(), "entry", D.Forward));
  Lanes L(F.R.Width);
  if (!Options::get().TrapNaN)
    return ForwardEmitter(F, P, *D.Forward, B, L).run();
  TrappedForwardEmitter(F, P, *D.Forward, B, L).run();
  forgetFinitePromises(*D.Forward);
}

} // namespace adze
