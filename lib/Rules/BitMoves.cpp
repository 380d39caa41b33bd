// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that carry float bits. Shifts, truncations and extensions move
// whole floats, so duals and adjoints move with the same bits; masks on the
// sign bit are fabs, -fabs and fneg:
//
//   y = trunc x        dy = trunc dx        x' += zext y'
//   y = zext x         dy = zext dx         x' += trunc y'
//   y = lshr x, k      dy = lshr dx, k      x' += shl y', k
//   y = shl x, k       dy = shl dx, k       x' += lshr y', k
//   y = or a, b        dy = or da, db       a' += y'   b' += y'   (disjoint)
//   y = and x, ~sign   dy = sign(x) dx      x' += sign(x) y'
//   y = or x, sign     dy = -sign(x) dx     x' += -sign(x) y'
//   y = xor x, m       dy = xor dx, m       x' += xor y', m
//                      (m has sign bits only: some lanes change their sign;
//                      that is tested where only the run knows m)
//   y = and x, sign    dy = 0               (the sign alone)
//   y = and x, ~low    dy = dx              x' += y'      (rounds the mantissa)
//   y = and x, mask    whole floats kept or cleared: a move; also where the
//                      mask is all ones or all zeros at run time (a select):
//                      dy = and dx, mask    x' += and y', mask
//   y = shl x, n       as above, n a number of the run time: whole bytes, or
//   y = lshr x, n      the program stops
//   y = or a, b        as above where only the run knows that no byte has
//                      parts of both: or the program stops
// Parts of floats move like this too (FloatBits.h). All else makes numbers of
// bits: where these are not known to be those of a float, the run shows that
// they are none, or the program stops:
//   y = op a, b        dy = 0, da = db = 0   y' = 0
#include "BitPatterns.h"
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "Rules.h"
#include "adze/RuntimeStop.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace adze {

namespace {

const char *const OnBits = "integer arithmetic on the bits of an active float";

/// A float by its layout, unless the access itself says that it is a number
/// and only others speak of a float: the count behind the header of a tree,
/// which is a node to some. If it is one after all, the run shows it.
bool isFloat(const Value *V, const TypeInfo &Types) {
  if (!Types.valueLayout(V).has(ConcreteType::Float))
    return false;
  TypeTree T = Types.treeOf(V);
  auto isSure = [&](auto IsKind) {
    return any_of(T.facts(), [&](const TypeFact &F) {
      return IsKind(F.Type) && F.Sure == Certainty::Definite;
    });
  };
  return isSure([](ConcreteType T) { return T.isFloat(); }) ||
         !isSure([](ConcreteType T) { return T.isInteger(); });
}

/// The result or an active operand is known to be a float.
bool isOfFloats(const Instruction &I, const Facts &F) {
  const TypeInfo &Types = *F.Types;
  return isFloat(&I, Types) || any_of(I.operand_values(), [&](const Value *Op) {
           return F.isActive(Op) && isFloat(Op, Types);
         });
}

std::string reasonAt(const Instruction &I, const char *Reason) {
  std::string Place = sourcePlace(&I);
  return Place.empty() ? Reason : Place + ": " + Reason;
}

/// What has become a number must have no dual.
void stopIfUsed(const Instruction &I, EmitContext &C, Value *Dual) {
  C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
    emitStopIfUsed(C.B, D[0], reasonAt(I, OnBits));
    return nullptr;
  });
}

/// \p Dual, shifted by the primal's count: of whole bytes.
Value *shifted(const Instruction &I, EmitContext &C, Value *Dual,
               unsigned Opcode) {
  Value *Count = C.primal(I.getOperand(1));
  Value *Rest = C.B.CreateAnd(Count, ConstantInt::get(Count->getType(), 7));
  if (Rest->getType()->isVectorTy())
    Rest = C.B.CreateOrReduce(Rest);
  Value *Odd = C.B.CreateIsNotNull(Rest);
  return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) {
    Value *Wrong =
        C.B.CreateSelect(Odd, D[0], Constant::getNullValue(D[0]->getType()));
    emitStopIfUsed(C.B, Wrong, reasonAt(I, OnBits));
    unsigned Op = Opcode;
    if (Opcode == Instruction::AShr)
      Op = Instruction::LShr;
    return C.B.CreateBinOp(Instruction::BinaryOps(Op), D[0], Count);
  });
}

/// Where a bit of both operands is set, nothing is put together.
void checkJoin(const Instruction &I, EmitContext &C, Value *Dual) {
  Value *Common =
      C.B.CreateAnd(C.primal(I.getOperand(0)), C.primal(I.getOperand(1)));
  if (Common->getType()->isVectorTy())
    Common = C.B.CreateOrReduce(Common);
  Value *Meets = C.B.CreateIsNotNull(Common);
  C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
    Value *Wrong =
        C.B.CreateSelect(Meets, D[0], Constant::getNullValue(D[0]->getType()));
    emitStopIfUsed(C.B, Wrong, reasonAt(I, OnBits));
    return nullptr;
  });
}

/// Ends the program unless \p Mask, the primal of an operand of \p I, has no
/// other bits than signs.
void emitSignCheck(const Instruction &I, EmitContext &C, Value *Mask) {
  std::optional<APInt> Sign = signBitsOf(I, C.facts());
  if (!Sign) // there is no such operand then
    return;
  Value *Rest = C.B.CreateAnd(Mask, ConstantInt::get(Mask->getType(), ~*Sign));
  if (Rest->getType()->isVectorTy())
    Rest = C.B.CreateOrReduce(Rest);
  Value *Wrong =
      C.B.CreateICmpNE(Rest, Constant::getNullValue(Rest->getType()));
  std::string Place = sourcePlace(&I);
  emitRuntimeStopIf(C.B, Wrong,
                    (Place.empty() ? Place : Place + ": ") +
                        "integer arithmetic changed more of an active float "
                        "than its sign");
}

/// An integer that carries float bits, or did: its dual and its adjoint as a
/// whole.
class BitRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (C.isActive(&I))
      require(I, C);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (C.carries(&I))
      C.setDual(&I, forward(I, C));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.isActive(&I))
      return;
    if (Value *Adjoint = C.takeAdjoint(&I))
      backward(I, C, Adjoint);
  }

protected:
  virtual void require(const Instruction &I, NeedsContext &C) const {}
  virtual Value *forward(const Instruction &I,
                         ForwardSweepContext &C) const = 0;
  virtual void backward(const Instruction &I, ReverseContext &C,
                        Value *Adjoint) const = 0;
};

/// What makes a number of bits.
class NumberRule final : public BitRule {
  void require(const Instruction &I, NeedsContext &C) const override {
    if (C.hasShadow(&I) || isOfFloats(I, C.facts()))
      C.refuse(I, Diag::UnsupportedInstruction, {OnBits});
  }

  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    for (const Value *Op : I.operand_values())
      if (C.isActive(Op) && C.carries(Op))
        stopIfUsed(I, C, C.dual(Op));
    return C.L.zero(I.getType());
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    stopIfUsed(I, C, Adjoint);
  }
};

/// Whole bytes stay together: casts, shifts, masks, and parts put together.
class MoveRule : public BitRule {
protected:
  void require(const Instruction &I, NeedsContext &C) const override {
    if (tearsFloat(I, C.facts()))
      C.refuse(I, Diag::UnsupportedInstruction,
               {"a part of an active float that is overwritten"});
  }

  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    if (I.isCast())
      return C.L.map(C.B, {C.dual(I.getOperand(0))}, [&](ArrayRef<Value *> D) {
        return C.B.CreateZExtOrTrunc(D[0], I.getType());
      });
    // The shift count or the mask is a number: it stays as it is.
    const bool Both = I.getOpcode() == Instruction::Or;
    Value *Right = Both ? C.dual(I.getOperand(1)) : nullptr;
    SmallVector<Value *, 2> In{C.dual(I.getOperand(0))};
    if (Both)
      In.push_back(Right);
    return C.L.map(C.B, In, [&](ArrayRef<Value *> D) {
      return C.B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), D[0],
                             Both ? D[1] : I.getOperand(1));
    });
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    auto back = [&](function_ref<Value *(Value *)> Body) {
      C.addAdjoint(I.getOperand(0),
                   C.L.map(C.B, {Adjoint},
                           [&](ArrayRef<Value *> A) { return Body(A[0]); }));
    };
    Value *Count = I.getNumOperands() > 1 ? I.getOperand(1) : nullptr;
    switch (I.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
      return back([&](Value *A) {
        return C.B.CreateZExtOrTrunc(A, I.getOperand(0)->getType());
      });
    case Instruction::LShr:
    case Instruction::AShr:
      return back([&](Value *A) { return C.B.CreateShl(A, Count); });
    case Instruction::Shl:
      return back([&](Value *A) { return C.B.CreateLShr(A, Count); });
    case Instruction::And:
      return back([&](Value *A) { return C.B.CreateAnd(A, Count); });
    default: // Or of disjoint parts
      C.addAdjoint(I.getOperand(0), Adjoint);
      C.addAdjoint(I.getOperand(1), Adjoint);
    }
  }
};

/// Parts of which only the run knows that they lie side by side.
class JoinRule final : public MoveRule {
  void require(const Instruction &I, NeedsContext &C) const override {
    MoveRule::require(I, C);
    C.primal(I.getOperand(1));
    C.primal(I.getOperand(0));
  }

  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    for (const Value *Op : I.operand_values())
      checkJoin(I, C, C.dual(Op));
    return MoveRule::forward(I, C);
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    checkJoin(I, C, Adjoint);
    MoveRule::backward(I, C, Adjoint);
  }
};

/// By a number of the run time.
class ShiftRule final : public BitRule {
  void require(const Instruction &I, NeedsContext &C) const override {
    C.primal(I.getOperand(1));
  }

  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    return shifted(I, C, C.dual(I.getOperand(0)), I.getOpcode());
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    bool Left = I.getOpcode() == Instruction::Shl;
    C.addAdjoint(
        I.getOperand(0),
        shifted(I, C, Adjoint, Left ? Instruction::LShr : Instruction::Shl));
  }
};

/// The end of the mantissa is cleared.
class RoundRule final : public BitRule {
  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    return C.dual(I.getOperand(0));
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    C.addAdjoint(I.getOperand(0), Adjoint);
  }
};

/// Of a float the sign alone.
class SignAloneRule final : public BitRule {
  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    return C.L.zero(I.getType());
  }

  void backward(const Instruction &, ReverseContext &, Value *) const override {
  }
};

/// What an inactive operand does to the bits of the other, it does to those of
/// the dual.
class MaskRule final : public BitRule {
public:
  /// Which operand it is; 2 for none.
  using Choice = unsigned (*)(const Instruction &I, const Facts &F);
  /// \p Checked: the run must show that it has no other bits than signs.
  explicit MaskRule(Choice MaskOf, bool Checked = false)
      : MaskOf(MaskOf), Checked(Checked) {}

private:
  void require(const Instruction &I, NeedsContext &C) const override {
    C.primal(I.getOperand(MaskOf(I, C.facts())));
  }

  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    unsigned K = MaskOf(I, C.facts());
    return masked(I, C, K, [&] { return C.dual(I.getOperand(1 - K)); });
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    unsigned K = MaskOf(I, C.facts());
    C.addAdjoint(I.getOperand(1 - K), masked(I, C, K, [&] { return Adjoint; }));
  }

  Value *masked(const Instruction &I, EmitContext &C, unsigned K,
                function_ref<Value *()> Dual) const {
    Value *Mask = C.primal(I.getOperand(K));
    if (Checked)
      emitSignCheck(I, C, Mask);
    return C.L.map(C.B, {Dual()}, [&](ArrayRef<Value *> D) {
      return C.B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), D[0], Mask);
    });
  }

  Choice MaskOf;
  bool Checked;
};

/// The sign of one float for that of another, or for none: |x|, -|x|, copysign.
class SignRule final : public BitRule {
public:
  enum Sign { Cleared, Set, OfOther };
  explicit SignRule(Sign To) : To(To) {}

private:
  unsigned magnitude(const Instruction &I, const RuleContext &C) const {
    return To == OfOther ? magnitudeOf(I, C.facts()) : 0;
  }
  unsigned sign(const Instruction &I, const RuleContext &C) const {
    return To == OfOther ? 1 - magnitudeOf(I, C.facts()) : 0;
  }

  void require(const Instruction &I, NeedsContext &C) const override {
    C.primal(I.getOperand(sign(I, C)));
  }

  Value *forward(const Instruction &I, ForwardSweepContext &C) const override {
    return signedLike(I, C, C.dual(I.getOperand(magnitude(I, C))));
  }

  void backward(const Instruction &I, ReverseContext &C,
                Value *Adjoint) const override {
    C.addAdjoint(I.getOperand(magnitude(I, C)), signedLike(I, C, Adjoint));
  }

  Value *signedLike(const Instruction &I, EmitContext &C, Value *Dual) const {
    unsigned Bits = floatOf(I, C.facts())->getPrimitiveSizeInBits();
    Type *Ty = I.getType();
    Constant *Sign =
        ConstantInt::get(Ty, APInt::getSplat(Ty->getScalarSizeInBits(),
                                             APInt::getSignMask(Bits)));
    Value *Flip = C.B.CreateAnd(C.primal(I.getOperand(sign(I, C))), Sign);
    if (To == Set)
      Flip = C.B.CreateXor(Flip, Sign);
    return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) {
      return C.B.CreateXor(D[0], Flip);
    });
  }

  Sign To;
};

template <class Rule, auto... Args> const adze::Rule &only() {
  static const Rule R{Args...};
  return R;
}

const Rule &ruleOfShift(const Instruction &I) {
  const APInt *Count = constantOf(I);
  if (!Count && !isa<Constant>(I.getOperand(1)))
    return only<ShiftRule>();
  return Count && Count->urem(8) == 0 ? only<MoveRule>() : only<NumberRule>();
}

/// Of a constant that changes signs alone; null for others.
const Rule *ruleOfSigns(const Instruction &I, const APInt &Bits,
                        const Type *Float) {
  unsigned Size = Float->getPrimitiveSizeInBits(), Width = Bits.getBitWidth();
  if (Width % Size != 0)
    return nullptr;
  APInt Sign = APInt::getSplat(Width, APInt::getSignMask(Size));
  if (I.getOpcode() == Instruction::Or && Bits == Sign)
    return &only<SignRule, SignRule::Set>();
  if (I.getOpcode() != Instruction::And)
    return nullptr;
  return Bits == ~Sign  ? &only<SignRule, SignRule::Cleared>()
         : Bits == Sign ? &only<SignAloneRule>()
                        : nullptr;
}

const Rule &ruleOfAnd(const Instruction &I, const APInt *Bits,
                      const Type *Float, const Facts &F) {
  if (Bits && Float && isRounding(*Bits, Float))
    return only<RoundRule>();
  if (Bits && isByteMask(*Bits))
    return only<MoveRule>();
  return maskOperandOf(I, F) < 2 ? only<MaskRule, maskOperandOf>()
                                 : only<NumberRule>();
}

const Rule &ruleOfXor(const Instruction &I, const Facts &F) {
  if (signOperandOf(I, F) < 2)
    return only<MaskRule, signOperandOf>();
  return variableOperandOf(I, F) < 2 ? only<MaskRule, variableOperandOf, true>()
                                     : only<NumberRule>();
}

const Rule &ruleOfOr(const Instruction &I, const Type *Float, const Facts &F) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  if (Float && magnitudeOf(I, F) < 2)
    return only<SignRule, SignRule::OfOther>();
  if (cast<PossiblyDisjointInst>(I).isDisjoint() || areOppositeMasks(A, B) ||
      areOppositeMasks(B, A) ||
      haveNoCommonBitsSet(A, B, SimplifyQuery(I.getDataLayout())))
    return only<MoveRule>();
  return isa<Constant>(A) || isa<Constant>(B) ? only<NumberRule>()
                                              : only<JoinRule>();
}

} // namespace

const Rule &bitMoveRule(const Instruction &I, const Facts &F) {
  if (I.isCast())
    return only<MoveRule>();
  if (I.isShift())
    return ruleOfShift(I);
  const APInt *Bits = constantOf(I);
  const Type *Float = floatOf(I, F);
  if (Bits && Float)
    if (const Rule *R = ruleOfSigns(I, *Bits, Float))
      return *R;
  switch (I.getOpcode()) {
  case Instruction::And:
    return ruleOfAnd(I, Bits, Float, F);
  case Instruction::Or:
    return ruleOfOr(I, Float, F);
  case Instruction::Xor:
    return ruleOfXor(I, F);
  default:
    return only<NumberRule>();
  }
}

} // namespace adze
