// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BitPatterns.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace adze {

const APInt *constantOf(const Instruction &I) {
  const auto *C = dyn_cast<Constant>(I.getOperand(1));
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  const auto *Int = dyn_cast_or_null<ConstantInt>(C);
  return Int ? &Int->getValue() : nullptr;
}

Type *floatOf(const Instruction &I, const Facts &F) {
  Type *Float = F.Types->floatTypeOf(&I);
  return Float ? Float : F.Types->floatTypeOf(I.getOperand(0));
}

bool areOppositeMasks(const Value *A, const Value *B) {
  using namespace PatternMatch;
  const Value *M = nullptr;
  return match(B, m_c_And(m_Not(m_Value(M)), m_Value())) &&
         match(A, m_c_And(m_Specific(M), m_Value()));
}

unsigned maskOperandOf(const Instruction &I, const Facts &F) {
  unsigned Width = I.getType()->getScalarSizeInBits();
  for (unsigned K = 0; K < 2; ++K)
    if (!F.isActive(I.getOperand(K)) &&
        ComputeNumSignBits(I.getOperand(K), I.getDataLayout()) == Width)
      return K;
  return 2;
}

std::optional<APInt> signBitsOf(const Instruction &I, const Facts &F) {
  Type *Float = F.Types->floatTypeOf(&I);
  unsigned Width = I.getType()->getScalarSizeInBits();
  if (!Float || Width % Float->getPrimitiveSizeInBits() != 0)
    return std::nullopt;
  return APInt::getSplat(Width,
                         APInt::getSignMask(Float->getPrimitiveSizeInBits()));
}

unsigned signOperandOf(const Instruction &I, const Facts &F) {
  std::optional<APInt> Sign = signBitsOf(I, F);
  for (unsigned K = 0; Sign && K < 2; ++K)
    if (!F.isActive(I.getOperand(K)) &&
        (~*Sign).isSubsetOf(
            computeKnownBits(I.getOperand(K), I.getDataLayout()).Zero))
      return K;
  return 2;
}

unsigned variableOperandOf(const Instruction &I, const Facts &F) {
  for (unsigned K = 0; signBitsOf(I, F) && K < 2; ++K)
    if (!F.isActive(I.getOperand(K)) && !isa<Constant>(I.getOperand(K)))
      return K;
  return 2;
}

unsigned magnitudeOf(const Instruction &I, const Facts &F) {
  std::optional<APInt> Sign = signBitsOf(I, F);
  for (unsigned K = 0; Sign && K < 2; ++K) {
    KnownBits Magnitude = computeKnownBits(I.getOperand(K), I.getDataLayout());
    KnownBits Other = computeKnownBits(I.getOperand(1 - K), I.getDataLayout());
    if (Sign->isSubsetOf(Magnitude.Zero) && (~*Sign).isSubsetOf(Other.Zero))
      return K;
  }
  return 2;
}

bool isRounding(const APInt &Mask, const Type *Float) {
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

namespace {

/// Which parts of the floats in an element of \p V may be set: bits from
/// \p Low on, and those below.
struct Parts {
  bool Head = false, Tail = false;
};
Parts partsOf(const Value *V, unsigned Bits, unsigned Low,
              const DataLayout &DL) {
  Parts Result;
  KnownBits Known = computeKnownBits(V, DL);
  for (unsigned At = 0; At + Bits <= Known.getBitWidth(); At += Bits) {
    Result.Head |= !Known.Zero.extractBits(Bits - Low, At + Low).isAllOnes();
    Result.Tail |= !Known.Zero.extractBits(Low, At).isAllOnes();
  }
  return Result;
}

/// The mantissa of some float in an element of \p V has bits that may be set
/// below bits that are zero, and that may be set in \p Other, if there is one.
bool hasGap(const Value *V, const Value *Other, unsigned Bits, unsigned Low,
            const DataLayout &DL) {
  KnownBits Known = computeKnownBits(V, DL);
  for (unsigned At = 0; At + Bits <= Known.getBitWidth(); At += Bits) {
    APInt Zero = Known.Zero.extractBits(Low, At);
    if (Other)
      Zero &= ~computeKnownBits(Other, DL).Zero.extractBits(Low, At);
    APInt Kept = ~Known.Zero.extractBits(Low, At);
    if (!Kept.isZero() && Zero.getActiveBits() > Kept.countr_zero())
      return true;
  }
  return false;
}

/// What a part of a value was taken from.
const Value *origin(const Value *V) {
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

} // namespace

bool tearsFloat(const Instruction &I, const Facts &F) {
  Type *Float = F.Types->floatTypeOf(&I);
  unsigned Width = I.getType()->getScalarSizeInBits();
  if (!Float || (!Float->isDoubleTy() && !Float->isFloatTy()) ||
      Width % Float->getPrimitiveSizeInBits() != 0)
    return false;
  unsigned Bits = Float->getPrimitiveSizeInBits();
  unsigned Low = Float->getFPMantissaWidth() - 1;
  if (I.getOpcode() == Instruction::And) {
    Parts Left = partsOf(&I, Bits, Low, I.getDataLayout());
    bool Torn = Left.Head ? hasGap(&I, nullptr, Bits, Low, I.getDataLayout())
                          : Left.Tail;
    return Torn && any_of(I.users(), [](const User *U) {
             return isa<BitCastInst>(U) && U->getType()->isFPOrFPVectorTy();
           });
  }
  if (I.getOpcode() != Instruction::Or)
    return false;
  for (unsigned K = 0; K < 2; ++K) {
    const Value *Own = I.getOperand(K), *Other = I.getOperand(1 - K);
    if (F.isActive(Own) && !F.isActive(Other) &&
        hasGap(Own, Other, Bits, Low, I.getDataLayout()))
      return true;
    if (!F.isActive(Own) || partsOf(Own, Bits, Low, I.getDataLayout()).Head ||
        !partsOf(Other, Bits, Low, I.getDataLayout()).Head)
      continue;
    bool Whole = origin(Own)->getType()->getPrimitiveSizeInBits() >= Bits &&
                 origin(Other)->getType()->getPrimitiveSizeInBits() >= Bits;
    if (!F.isActive(Other) || (Whole && origin(Own) != origin(Other)))
      return true;
  }
  return false;
}

bool isByteMask(const APInt &Mask) {
  for (unsigned Bit = 0; Bit + 8 <= Mask.getBitWidth(); Bit += 8) {
    APInt Part = Mask.extractBits(8, Bit);
    if (!Part.isZero() && !Part.isAllOnes())
      return false;
  }
  return Mask.getBitWidth() % 8 == 0;
}

} // namespace adze
