// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/RoundingSum.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/// The float that all elements of \p V are; null if there is none.
const APFloat *constantOf(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue(/*AllowPoison=*/true);
  auto *F = dyn_cast_or_null<ConstantFP>(C);
  return F ? &F->getValueAPF() : nullptr;
}

/// \p C is 2^k or 1.5 * 2^k, and what is added to it keeps a few bits behind
/// the point at most. A sum of other use has no such constant.
bool isLarge(const APFloat &C, const Type *Ty) {
  if (!Ty->isDoubleTy() && !Ty->isFloatTy())
    return false;
  if (!C.isFinite() || C.isZero())
    return false;
  const int Mantissa = Ty->isDoubleTy() ? 52 : 23;
  const int Behind = Ty->isDoubleTy() ? 8 : 2;
  APInt Fraction = C.bitcastToAPInt().trunc(Mantissa);
  return ilogb(C) >= Mantissa - Behind &&
         (Fraction.isZero() || Fraction.isSignMask());
}

Intrinsic::ID idOf(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
}

/// What \p I adds to the rest, with its sign; nothing if it adds no constant.
const Value *addendOf(const Instruction &I, bool &Minus) {
  Minus = false;
  switch (idOf(I)) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::experimental_constrained_fma:
  case Intrinsic::experimental_constrained_fmuladd:
    return I.getOperand(2);
  case Intrinsic::experimental_constrained_fsub:
    Minus = true;
    return I.getOperand(1);
  case Intrinsic::experimental_constrained_fadd:
    return I.getOperand(constantOf(I.getOperand(0)) ? 0 : 1);
  case Intrinsic::not_intrinsic:
    break;
  default:
    return nullptr;
  }
  if (I.getOpcode() == Instruction::FSub) {
    Minus = true;
    return I.getOperand(1);
  }
  if (I.getOpcode() == Instruction::FAdd)
    return I.getOperand(constantOf(I.getOperand(0)) ? 0 : 1);
  return nullptr;
}

/// Moves a float as it is.
bool isMove(const Instruction &I) {
  return idOf(I) == Intrinsic::arithmetic_fence ||
         isa<PHINode, SelectInst, FreezeInst, ExtractElementInst,
             InsertElementInst, ShuffleVectorInst>(I);
}

} // namespace

bool adze::isRoundingSum(const Instruction &I) {
  constexpr unsigned MaxMoves = 16;
  bool Minus = false;
  const Value *Addend = addendOf(I, Minus);
  const APFloat *C = Addend ? constantOf(Addend) : nullptr;
  if (!C || !isLarge(*C, I.getType()->getScalarType()))
    return false;
  SmallVector<const Instruction *, 8> Moves(1, &I);
  SmallPtrSet<const Instruction *, 8> Seen;
  for (unsigned K = 0; K < Moves.size() && K < MaxMoves; ++K)
    for (const User *U : Moves[K]->users()) {
      auto *By = dyn_cast<Instruction>(U);
      if (!By || !Seen.insert(By).second)
        continue;
      bool MinusToo = false;
      const Value *Other = addendOf(*By, MinusToo);
      const APFloat *D = Other ? constantOf(Other) : nullptr;
      if (D && (Minus != MinusToo ? C->bitwiseIsEqual(*D)
                                  : C->bitwiseIsEqual(neg(*D))))
        return true;
      if (isa<BitCastInst>(By) && By->getType()->isIntOrIntVectorTy())
        return true;
      if (isMove(*By))
        Moves.push_back(By);
    }
  return false;
}
