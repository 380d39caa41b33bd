// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics on integers that may carry float bits. Those that move bits move
// duals likewise:
//
//   y = bswap x         dy = bswap dx         x' += bswap y'
//   y = fshl a, b, k    dy = fshl da, db, k   a' += lshr y', k
//                                             b' += shl y', n - k
//   y = fshr a, b, k    fshl a, b, n - k
//
// (k: a constant number of bytes.) The others make numbers, as in BitMoves.cpp.
#include "FloatBits.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

bool isOfIntegers(const Value *V) { return V->getType()->isIntOrIntVectorTy(); }

/// By how many bits a funnel shift moves its first operand to the left; 0 where
/// it is no constant number of bytes within the width.
uint64_t bytesToTheLeft(const IntrinsicInst &I) {
  const auto *By = dyn_cast<Constant>(I.getArgOperand(2));
  if (By && By->getType()->isVectorTy())
    By = By->getSplatValue();
  const auto *Count = dyn_cast_or_null<ConstantInt>(By);
  uint64_t Width = I.getType()->getScalarSizeInBits();
  uint64_t K = Count ? Count->getValue().urem(Width) : 0;
  if (K % 8 != 0 || K == 0)
    return 0;
  return I.getIntrinsicID() == Intrinsic::fshl ? K : Width - K;
}

bool isSwap(const IntrinsicInst &I) {
  return I.getIntrinsicID() == Intrinsic::bswap;
}

bool isMove(const IntrinsicInst &I) {
  Intrinsic::ID ID = I.getIntrinsicID();
  return isSwap(I) || ((ID == Intrinsic::fshl || ID == Intrinsic::fshr) &&
                       bytesToTheLeft(I) != 0);
}

void stopIfUsed(const Instruction &I, EmitContext &C, Value *Dual) {
  std::string Place = sourcePlace(&I);
  if (!Place.empty())
    Place += ": ";
  C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
    emitStopIfUsed(C.B, D[0],
                   Place + "integer arithmetic on the bits of an active float");
    return nullptr;
  });
}

class BitIntrinsicRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    bool OfFloats = any_of(cast<CallBase>(I).args(), [&](const Value *Arg) {
      return C.isActive(Arg) &&
             C.facts().Types->valueLayout(Arg).has(ConcreteType::Float);
    });
    if (C.isActive(&I) && !isMove(cast<IntrinsicInst>(I)) &&
        (OfFloats || C.hasShadow(&I)))
      C.refuse(I, Diag::UnsupportedInstruction,
               {"integer arithmetic on the bits of an active float"});
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    auto &Call = cast<IntrinsicInst>(I);
    if (!isMove(Call)) {
      for (const Value *Arg : Call.args())
        if (C.isActive(Arg) && C.carries(Arg))
          stopIfUsed(I, C, C.dual(Arg));
      return C.setDual(&I, C.L.zero(I.getType()));
    }
    SmallVector<Value *, 2> In{C.dual(Call.getArgOperand(0))};
    if (!isSwap(Call))
      In.push_back(C.dual(Call.getArgOperand(1)));
    C.setDual(&I, C.L.map(C.B, In, [&](ArrayRef<Value *> D) -> Value * {
      if (isSwap(Call))
        return C.B.CreateUnaryIntrinsic(Intrinsic::bswap, D[0]);
      return C.B.CreateIntrinsic(Call.getIntrinsicID(), {I.getType()},
                                 {D[0], D[1], Call.getArgOperand(2)});
    }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    if (!Adjoint)
      return;
    auto &Call = cast<IntrinsicInst>(I);
    if (isa<WithOverflowInst>(Call))
      Adjoint = C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
        return C.B.CreateExtractValue(A[0], 0);
      });
    if (!isMove(Call))
      return stopIfUsed(I, C, Adjoint);
    auto back = [&](unsigned Arg, function_ref<Value *(Value *)> Body) {
      C.addAdjoint(Call.getArgOperand(Arg),
                   C.L.map(C.B, {Adjoint},
                           [&](ArrayRef<Value *> A) { return Body(A[0]); }));
    };
    if (isSwap(Call))
      return back(0, [&](Value *A) {
        return C.B.CreateUnaryIntrinsic(Intrinsic::bswap, A);
      });
    uint64_t Left = bytesToTheLeft(Call);
    uint64_t Width = I.getType()->getScalarSizeInBits();
    back(0, [&](Value *A) { return C.B.CreateLShr(A, Left); });
    back(1, [&](Value *A) { return C.B.CreateShl(A, Width - Left); });
  }
};

} // namespace

bool isBitIntrinsic(const CallBase &Call) {
  auto *I = dyn_cast<IntrinsicInst>(&Call);
  return I && (isOfIntegers(I) || isa<WithOverflowInst>(I)) &&
         I->doesNotAccessMemory() && !I->arg_empty() &&
         all_of(I->args(), isOfIntegers);
}

const Rule &bitIntrinsicRule() {
  static const BitIntrinsicRule R;
  return R;
}

} // namespace adze
