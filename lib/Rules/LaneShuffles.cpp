// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of values between the lanes of a warp (adze/LaneShuffles.h). Lane k
// has what lane s(k) gives,
//
//   y[k] = x[s(k)]    dy[k] = dx[s(k)]    x'[k] += sum of y'[l] with s(l) = k
//
// The lanes that exchange values going forward do so again going back: they
// come by the mirrored place together.
#include "adze/LaneShuffles.h"
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "Rules.h"
#include "adze/ParallelRuntime.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// The float that \p I moves, perhaps as bits; null if that is not known.
Type *floatOf(const Instruction &I, const RuleContext &C) {
  Type *Ty = I.getType();
  if (Ty->isFloatingPointTy())
    return Ty;
  const BlockLayout Layout = layoutOfBits(&I, C.facts());
  if (Layout.Ranges.size() != 1 || !Layout.Ranges[0].Type.isFloat() ||
      Layout.Ranges[0].Begin != 0)
    return nullptr;
  Type *Float = Layout.Ranges[0].Type.floatType();
  const DataLayout &DL = C.dataLayout();
  return DL.getTypeStoreSize(Float) == DL.getTypeStoreSize(Ty) &&
                 (Float->isFloatTy() || Float->isDoubleTy())
             ? Float
             : nullptr;
}

/// All lanes have the same value: what needs no question at run time.
bool isAlike(const Value *V) { return isa<Constant>(V); }

class ShuffleRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.isActive(&I))
      return;
    if (!floatOf(I, C)) {
      MissingFunction Text = deviceRefusal(
          "a part of a float, or what may be one, that lanes exchange",
          "exchange whole values of type float or double");
      return C.refuse(I, Text.ID, Text.Args);
    }
    for (unsigned K = shuffles::Which; K <= shuffles::C; ++K)
      C.primal(I.getOperand(K));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    C.setDual(&I, C.L.map(C.B, {C.dual(I.getOperand(shuffles::X))},
                          [&](ArrayRef<Value *> D) -> Value * {
                            return C.B.CreateCall(
                                shuffles::function(C.module(), I.getType()),
                                operands(I, D[0], C));
                          }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.isActive(&I))
      return;
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    Type *Ty = I.getType(), *Float = floatOf(I, C);
    Value *Alike = C.B.getInt1(isAlike(I.getOperand(shuffles::B)) &&
                               isAlike(I.getOperand(shuffles::C)));
    C.addAdjoint(I.getOperand(shuffles::X),
                 C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> D) -> Value * {
                   SmallVector<Value *, 6> Args =
                       operands(I, C.B.CreateBitCast(D[0], Float), C);
                   Args.push_back(Alike);
                   return C.B.CreateBitCast(
                       C.B.CreateCall(shuffles::back(C.module(), Float), Args),
                       Ty);
                 }));
  }

private:
  template <typename Context>
  static SmallVector<Value *, 6> operands(const Instruction &I, Value *X,
                                          Context &C) {
    SmallVector<Value *, 6> Args{X};
    for (unsigned K = shuffles::Which; K <= shuffles::C; ++K)
      Args.push_back(C.primal(I.getOperand(K)));
    return Args;
  }
};

} // namespace

const Rule &shuffleRule() {
  static const ShuffleRule R;
  return R;
}

} // namespace adze
