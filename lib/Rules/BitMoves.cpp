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
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "Rules.h"
#include "adze/RuntimeStop.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace adze {

namespace {

enum class BitOperation {
  None,
  Move,
  Abs,
  NegAbs,
  Flip,
  MayFlip, // or the program stops
  SignOnly,
  CopySign,
  Mask,
  Round,
  MayShift, // or the program stops
  MayJoin   // or the program stops
};

const char *const OnBits = "integer arithmetic on the bits of an active float";

/// The constant bit pattern of operand 1 of \p I as one scalar, if any.
const APInt *maskOf(const Instruction &I) {
  const auto *C = dyn_cast<Constant>(I.getOperand(1));
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  const auto *Int = dyn_cast_or_null<ConstantInt>(C);
  return Int ? &Int->getValue() : nullptr;
}

class BitMoveRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    if (!C.isActive(&I))
      return;
    BitOperation T = classify(I, C);
    if (T == BitOperation::None && (C.hasShadow(&I) || isOfFloats(I, C)))
      return C.refuse(I, Diag::UnsupportedInstruction, {OnBits});
    if ((T == BitOperation::Move || T == BitOperation::MayJoin) &&
        replacesExponent(I, C))
      return C.refuse(I, Diag::UnsupportedInstruction,
                      {"a part of an active float that is overwritten"});
    if (T == BitOperation::MayShift || T == BitOperation::MayJoin)
      C.primal(I.getOperand(1));
    if (T == BitOperation::MayJoin)
      C.primal(I.getOperand(0));
    if (T == BitOperation::Abs || T == BitOperation::NegAbs)
      C.primal(I.getOperand(0));
    if (T == BitOperation::CopySign)
      C.primal(I.getOperand(1 - magnitudeOf(I, C)));
    if (T == BitOperation::Mask || T == BitOperation::Flip ||
        T == BitOperation::MayFlip)
      C.primal(I.getOperand(otherOperandOf(I, C, T)));
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    BitOperation T = classify(I, C);
    if (T == BitOperation::None)
      for (const Value *Op : I.operand_values())
        if (C.isActive(Op) && C.carries(Op))
          stopIfUsed(I, C, C.dual(Op));
    if (T == BitOperation::SignOnly || T == BitOperation::None) {
      C.setDual(&I, C.L.zero(I.getType()));
      return;
    }
    if (T == BitOperation::MayShift)
      return C.setDual(&I,
                       shifted(I, C, C.dual(I.getOperand(0)), I.getOpcode()));
    if (T == BitOperation::MayJoin)
      for (const Value *Op : I.operand_values())
        checkJoin(I, C, C.dual(Op));
    if (T == BitOperation::Round)
      return C.setDual(&I, C.dual(I.getOperand(0)));
    if (T == BitOperation::Mask || T == BitOperation::Flip ||
        T == BitOperation::MayFlip) {
      unsigned K = otherOperandOf(I, C, T);
      if (T == BitOperation::MayFlip)
        emitSignCheck(I, C, C.primal(I.getOperand(K)));
      C.setDual(&I, combined(C, I.getOpcode(), C.primal(I.getOperand(K)),
                             C.dual(I.getOperand(1 - K))));
      return;
    }
    if (T != BitOperation::Move && T != BitOperation::MayJoin) {
      unsigned From = T == BitOperation::CopySign ? magnitudeOf(I, C) : 0;
      C.setDual(&I, scaleBySign(I, C, T, C.dual(I.getOperand(From))));
      return;
    }
    if (I.isCast()) {
      C.setDual(
          &I, C.L.map(C.B, {C.dual(I.getOperand(0))}, [&](ArrayRef<Value *> D) {
            return C.B.CreateZExtOrTrunc(D[0], I.getType());
          }));
      return;
    }
    // The shift count or the mask is a number: it stays as it is.
    bool Both = I.getOpcode() == Instruction::Or;
    Value *Right = Both ? C.dual(I.getOperand(1)) : nullptr;
    SmallVector<Value *, 2> In{C.dual(I.getOperand(0))};
    if (Both)
      In.push_back(Right);
    C.setDual(&I, C.L.map(C.B, In, [&](ArrayRef<Value *> D) {
      return C.B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), D[0],
                             Both ? D[1] : I.getOperand(1));
    }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    if (!C.isActive(&I))
      return;
    Value *Adjoint = C.takeAdjoint(&I);
    if (!Adjoint)
      return;
    BitOperation T = classify(I, C);
    if (T == BitOperation::None)
      return stopIfUsed(I, C, Adjoint);
    if (T == BitOperation::SignOnly)
      return;
    if (T == BitOperation::MayShift)
      return C.addAdjoint(I.getOperand(0),
                          shifted(I, C, Adjoint,
                                  I.getOpcode() == Instruction::Shl
                                      ? Instruction::LShr
                                      : Instruction::Shl));
    if (T == BitOperation::MayJoin)
      checkJoin(I, C, Adjoint);
    if (T == BitOperation::Round)
      return C.addAdjoint(I.getOperand(0), Adjoint);
    if (T == BitOperation::Mask || T == BitOperation::Flip ||
        T == BitOperation::MayFlip) {
      unsigned K = otherOperandOf(I, C, T);
      if (T == BitOperation::MayFlip)
        emitSignCheck(I, C, C.primal(I.getOperand(K)));
      C.addAdjoint(
          I.getOperand(1 - K),
          combined(C, I.getOpcode(), C.primal(I.getOperand(K)), Adjoint));
      return;
    }
    if (T != BitOperation::Move && T != BitOperation::MayJoin) {
      unsigned To = T == BitOperation::CopySign ? magnitudeOf(I, C) : 0;
      C.addAdjoint(I.getOperand(To), scaleBySign(I, C, T, Adjoint));
      return;
    }
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

private:
  /// A float by its layout, unless the access itself says that it is a number
  /// and only others speak of a float: the count behind the header of a tree,
  /// which is a node to some. If it is one after all, the run shows it.
  static bool isFloat(const Value *V, const TypeInfo &Types) {
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
  static bool isOfFloats(const Instruction &I, const RuleContext &C) {
    const TypeInfo &Types = *C.facts().Types;
    return isFloat(&I, Types) ||
           any_of(I.operand_values(), [&](const Value *Op) {
             return C.isActive(Op) && isFloat(Op, Types);
           });
  }

  static std::string reasonAt(const Instruction &I, const char *Reason) {
    std::string Place = sourcePlace(&I);
    return Place.empty() ? Reason : Place + ": " + Reason;
  }

  /// What has become a number must have no dual.
  static void stopIfUsed(const Instruction &I, EmitContext &C, Value *Dual) {
    C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
      emitStopIfUsed(C.B, D[0], reasonAt(I, OnBits));
      return nullptr;
    });
  }

  /// \p Dual, shifted by the primal's count: of whole bytes.
  static Value *shifted(const Instruction &I, EmitContext &C, Value *Dual,
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
      unsigned Op = Opcode == Instruction::AShr ? Instruction::LShr : Opcode;
      return C.B.CreateBinOp(Instruction::BinaryOps(Op), D[0], Count);
    });
  }

  /// Where a bit of both operands is set, nothing is put together.
  static void checkJoin(const Instruction &I, EmitContext &C, Value *Dual) {
    Value *Common =
        C.B.CreateAnd(C.primal(I.getOperand(0)), C.primal(I.getOperand(1)));
    if (Common->getType()->isVectorTy())
      Common = C.B.CreateOrReduce(Common);
    Value *Meets = C.B.CreateIsNotNull(Common);
    C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
      Value *Wrong = C.B.CreateSelect(Meets, D[0],
                                      Constant::getNullValue(D[0]->getType()));
      emitStopIfUsed(C.B, Wrong, reasonAt(I, OnBits));
      return nullptr;
    });
  }

  static BitOperation classify(const Instruction &I, const RuleContext &C) {
    unsigned Opcode = I.getOpcode();
    if (Opcode == Instruction::Trunc || Opcode == Instruction::ZExt ||
        Opcode == Instruction::SExt)
      return BitOperation::Move;
    const APInt *Mask = maskOf(I);
    if (Opcode == Instruction::Shl || Opcode == Instruction::LShr ||
        Opcode == Instruction::AShr)
      return !Mask && !isa<Constant>(I.getOperand(1)) ? BitOperation::MayShift
             : Mask && Mask->urem(8) == 0             ? BitOperation::Move
                                                      : BitOperation::None;
    Type *Float = C.facts().Types->floatTypeOf(&I);
    if (!Float)
      Float = C.facts().Types->floatTypeOf(I.getOperand(0));
    if (Mask && Float) {
      unsigned Bits = Float->getPrimitiveSizeInBits();
      unsigned Width = Mask->getBitWidth();
      if (Width % Bits == 0) {
        APInt Sign = APInt::getSplat(Width, APInt::getSignMask(Bits));
        if (Opcode == Instruction::Or && *Mask == Sign)
          return BitOperation::NegAbs;
        if (Opcode == Instruction::And && *Mask == ~Sign)
          return BitOperation::Abs;
        if (Opcode == Instruction::And && *Mask == Sign)
          return BitOperation::SignOnly;
      }
    }
    if (Opcode == Instruction::Xor && signOperandOf(I, C) < 2)
      return BitOperation::Flip;
    if (Opcode == Instruction::Xor && variableOperandOf(I, C) < 2)
      return BitOperation::MayFlip;
    if (Opcode == Instruction::And && Mask && Float && isRounding(*Mask, Float))
      return BitOperation::Round;
    if (Opcode == Instruction::And && Mask && isByteMask(*Mask))
      return BitOperation::Move;
    if (Opcode == Instruction::And && maskOperandOf(I, C) < 2)
      return BitOperation::Mask;
    if (Opcode != Instruction::Or)
      return BitOperation::None;
    const DataLayout &DL = C.dataLayout();
    if (Float && magnitudeOf(I, C) < 2)
      return BitOperation::CopySign;
    if (cast<PossiblyDisjointInst>(I).isDisjoint() ||
        areOppositeMasks(I.getOperand(0), I.getOperand(1)) ||
        areOppositeMasks(I.getOperand(1), I.getOperand(0)) ||
        haveNoCommonBitsSet(I.getOperand(0), I.getOperand(1),
                            SimplifyQuery(DL)))
      return BitOperation::Move;
    bool Variables =
        !isa<Constant>(I.getOperand(0)) && !isa<Constant>(I.getOperand(1));
    return Variables ? BitOperation::MayJoin : BitOperation::None;
  }

  /// (a & m) and (b & ~m). LLVM's own query also wants m not to be undef; a
  /// program that selects by an undefined mask has no derivative to lose.
  static bool areOppositeMasks(const Value *A, const Value *B) {
    using namespace PatternMatch;
    const Value *M = nullptr;
    return match(B, m_c_And(m_Not(m_Value(M)), m_Value())) &&
           match(A, m_c_And(m_Specific(M), m_Value()));
  }

  /// The operand that is an inactive mask of whole elements; 2 if none is.
  static unsigned maskOperandOf(const Instruction &I, const RuleContext &C) {
    unsigned Width = I.getType()->getScalarSizeInBits();
    for (unsigned K = 0; K < 2; ++K)
      if (!C.isActive(I.getOperand(K)) &&
          ComputeNumSignBits(I.getOperand(K), C.dataLayout()) == Width)
        return K;
    return 2;
  }

  static Value *combined(EmitContext &C, unsigned Opcode, Value *Mask,
                         Value *Dual) {
    return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) {
      return C.B.CreateBinOp(Instruction::BinaryOps(Opcode), D[0], Mask);
    });
  }

  /// The sign bits of all floats in an element of \p I; none if it carries
  /// none.
  static std::optional<APInt> signBitsOf(const Instruction &I,
                                         const RuleContext &C) {
    Type *Float = C.facts().Types->floatTypeOf(&I);
    unsigned Width = I.getType()->getScalarSizeInBits();
    if (!Float || Width % Float->getPrimitiveSizeInBits() != 0)
      return std::nullopt;
    return APInt::getSplat(Width,
                           APInt::getSignMask(Float->getPrimitiveSizeInBits()));
  }

  /// The operand that is inactive and has no other bits than signs; 2 if none.
  static unsigned signOperandOf(const Instruction &I, const RuleContext &C) {
    std::optional<APInt> Sign = signBitsOf(I, C);
    for (unsigned K = 0; Sign && K < 2; ++K)
      if (!C.isActive(I.getOperand(K)) &&
          (~*Sign).isSubsetOf(
              computeKnownBits(I.getOperand(K), C.dataLayout()).Zero))
        return K;
    return 2;
  }

  /// The operand that is inactive and a number of the run time, where the other
  /// is a whole number of floats; 2 if there is none.
  static unsigned variableOperandOf(const Instruction &I,
                                    const RuleContext &C) {
    for (unsigned K = 0; signBitsOf(I, C) && K < 2; ++K)
      if (!C.isActive(I.getOperand(K)) && !isa<Constant>(I.getOperand(K)))
        return K;
    return 2;
  }

  static unsigned otherOperandOf(const Instruction &I, const RuleContext &C,
                                 BitOperation T) {
    return T == BitOperation::Mask   ? maskOperandOf(I, C)
           : T == BitOperation::Flip ? signOperandOf(I, C)
                                     : variableOperandOf(I, C);
  }

  /// Ends the program unless \p Mask, the primal of an operand of \p I, has no
  /// other bits than signs.
  static void emitSignCheck(const Instruction &I, EmitContext &C, Value *Mask) {
    std::optional<APInt> Sign = signBitsOf(I, C);
    if (!Sign) // there is no such operand then
      return;
    Value *Rest =
        C.B.CreateAnd(Mask, ConstantInt::get(Mask->getType(), ~*Sign));
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

  /// Of `or (x & ~sign), (y & sign)` the operand that is the magnitude; 2 if
  /// \p I is no such thing.
  static unsigned magnitudeOf(const Instruction &I, const RuleContext &C) {
    std::optional<APInt> Sign = signBitsOf(I, C);
    for (unsigned K = 0; Sign && K < 2; ++K) {
      KnownBits Magnitude = computeKnownBits(I.getOperand(K), C.dataLayout());
      KnownBits Other = computeKnownBits(I.getOperand(1 - K), C.dataLayout());
      if (Sign->isSubsetOf(Magnitude.Zero) && (~*Sign).isSubsetOf(Other.Zero))
        return K;
    }
    return 2;
  }

  /// Clears the end of the mantissa of each float, less than three quarters of
  /// it.
  static bool isRounding(const APInt &Mask, const Type *Float) {
    unsigned Bits = Float->getPrimitiveSizeInBits();
    if ((!Float->isFloatTy() && !Float->isDoubleTy()) ||
        Mask.getBitWidth() % Bits != 0)
      return false;
    unsigned Limit = (Float->getFPMantissaWidth() - 1) / 4 * 3;
    for (unsigned At = 0; At < Mask.getBitWidth(); At += Bits) {
      APInt Cleared = ~Mask.extractBits(Bits, At);
      if (!Cleared.isMask() || Cleared.countr_one() > Limit)
        return false;
    }
    return true;
  }

  /// Which parts of the floats in an element of \p V may be set: bits from
  /// \p Low on, and those below.
  struct Parts {
    bool Head = false, Tail = false;
  };
  static Parts partsOf(const Value *V, unsigned Bits, unsigned Low,
                       const RuleContext &C) {
    Parts Result;
    KnownBits Known = computeKnownBits(V, C.dataLayout());
    for (unsigned At = 0; At + Bits <= Known.getBitWidth(); At += Bits) {
      Result.Head |= !Known.Zero.extractBits(Bits - Low, At + Low).isAllOnes();
      Result.Tail |= !Known.Zero.extractBits(Low, At).isAllOnes();
    }
    return Result;
  }

  /// What a part of a value was taken from.
  static const Value *origin(const Value *V) {
    constexpr unsigned MaxSteps = 8;
    for (unsigned Step = 0; Step < MaxSteps; ++Step) {
      auto *I = dyn_cast<Instruction>(V);
      if (!I ||
          !(I->isCast() || I->isShift() || I->getOpcode() == Instruction::And))
        break;
      V = I->getOperand(0);
    }
    return V;
  }

  /// The end of an active float's mantissa gets an exponent that is not its
  /// own: none, or that of another float. (A tangent may be taken apart, but
  /// must be put together again.)
  static bool replacesExponent(const Instruction &I, const RuleContext &C) {
    Type *Float = C.facts().Types->floatTypeOf(&I);
    unsigned Width = I.getType()->getScalarSizeInBits();
    if (!Float || (!Float->isDoubleTy() && !Float->isFloatTy()) ||
        Width % Float->getPrimitiveSizeInBits() != 0)
      return false;
    unsigned Bits = Float->getPrimitiveSizeInBits();
    unsigned Low = Float->getFPMantissaWidth() - 1;
    if (I.getOpcode() == Instruction::And) {
      Parts Left = partsOf(&I, Bits, Low, C);
      return Left.Tail && !Left.Head && any_of(I.users(), [](const User *U) {
               return isa<BitCastInst>(U) && U->getType()->isFPOrFPVectorTy();
             });
    }
    if (I.getOpcode() != Instruction::Or)
      return false;
    for (unsigned K = 0; K < 2; ++K) {
      const Value *Own = I.getOperand(K), *Other = I.getOperand(1 - K);
      if (!C.isActive(Own) || partsOf(Own, Bits, Low, C).Head ||
          !partsOf(Other, Bits, Low, C).Head)
        continue;
      bool Whole = origin(Own)->getType()->getPrimitiveSizeInBits() >= Bits &&
                   origin(Other)->getType()->getPrimitiveSizeInBits() >= Bits;
      if (!C.isActive(Other) || (Whole && origin(Own) != origin(Other)))
        return true;
    }
    return false;
  }

  static bool isByteMask(const APInt &Mask) {
    for (unsigned Bit = 0; Bit + 8 <= Mask.getBitWidth(); Bit += 8) {
      APInt Part = Mask.extractBits(8, Bit);
      if (!Part.isZero() && !Part.isAllOnes())
        return false;
    }
    return Mask.getBitWidth() % 8 == 0;
  }

  static Value *scaleBySign(const Instruction &I, EmitContext &C,
                            BitOperation T, Value *Dual) {
    Type *Ty = I.getType();
    Type *Float = C.facts().Types->floatTypeOf(&I);
    if (!Float)
      Float = C.facts().Types->floatTypeOf(I.getOperand(0));
    unsigned Bits = Float->getPrimitiveSizeInBits();
    Constant *Sign =
        ConstantInt::get(Ty, APInt::getSplat(Ty->getScalarSizeInBits(),
                                             APInt::getSignMask(Bits)));
    unsigned From = T == BitOperation::CopySign ? 1 - magnitudeOf(I, C) : 0;
    Value *Flip = C.B.CreateAnd(C.primal(I.getOperand(From)), Sign);
    if (T == BitOperation::NegAbs)
      Flip = C.B.CreateXor(Flip, Sign);
    return C.L.map(C.B, {Dual}, [&](ArrayRef<Value *> D) {
      return C.B.CreateXor(D[0], Flip);
    });
  }
};

} // namespace

const Rule &bitMoveRule() {
  static const BitMoveRule R;
  return R;
}

} // namespace adze
