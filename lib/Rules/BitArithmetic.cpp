// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of a float as a number. Where x = (1 + m) 2^e, its bits are the
// integer i = 2^52 (1023 + e + m): piecewise linear in x, with slope 1 /
// ulp(x). So what is computed from i by sums, and by products with constants,
// is differentiated as such; masks and shifts that leave the upper mantissa
// alone add steps only, and what is left of the exponent alone is a step
// function.
//
//   bits(y) = a bits(x) + b bits(z) + c
//        dy = ulp(y) (a dx / ulp(x) + b dz / ulp(z))
//        x' += a ulp(y) / ulp(x) y'      z' += b ulp(y) / ulp(z) y'
//
// 2^e takes ulp's place in the quotients; both have the float's sign. This is
// the derivative of the program as it runs: that of the piecewise linear guess
// for the guess of an inverse square root.
#include "Rules.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace adze {

namespace {

/// A float whose bits take part, and its factor.
struct Term {
  const Value *Leaf;
  double Factor;
};
using Form = SmallVector<Term, 2>;

const APInt *constantOf(const Value *V) {
  const auto *C = dyn_cast<Constant>(V);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  const auto *Int = dyn_cast_or_null<ConstantInt>(C);
  return Int ? &Int->getValue() : nullptr;
}

bool isInteger(const Value *V) {
  return V->getType()->isIntOrIntVectorTy() &&
         (V->getType()->getScalarSizeInBits() == 32 ||
          V->getType()->getScalarSizeInBits() == 64);
}

/// One float's worth of bits.
class Bits {
public:
  explicit Bits(const Type *Lane)
      : Width(Lane->getScalarSizeInBits()), Mantissa(Width == 64 ? 52 : 23) {}

  APInt sign() const { return APInt::getSignMask(Width); }
  APInt exponent() const {
    return APInt::getBitsSet(Width, Mantissa, Width - 1);
  }
  APInt mantissa() const { return APInt::getLowBitsSet(Width, Mantissa); }
  /// So many bits at the end are no more than a rounding.
  unsigned end() const { return Mantissa / 4 * 3; }
  Type *floatType(LLVMContext &Context) const {
    return Width == 64 ? Type::getDoubleTy(Context) : Type::getFloatTy(Context);
  }

  unsigned Width, Mantissa;
};

class FormBuilder {
public:
  /// Of integers of the type of \p Int, which \p At computes or reads.
  FormBuilder(const Facts &F, const Value &Int, const Instruction &At)
      : F(F), At(At), B(Int.getType()), DL(At.getDataLayout()) {}

  /// What \p V is; nothing where that is no such form.
  std::optional<Form> of(const Value *V, unsigned Depth) const {
    constexpr unsigned MaxDepth = 6;
    if (!F.isActive(V))
      return Form();
    Type *Float = F.Types->floatTypeOf(V);
    if (Float && Float->getPrimitiveSizeInBits() == B.Width)
      return Form{{V, 1.0}};
    auto *I = dyn_cast<BinaryOperator>(V);
    if (!I || I->getParent() != At.getParent() || Depth == MaxDepth)
      return std::nullopt;
    return ofOperation(*I, Depth + 1);
  }

  std::optional<Form> ofOperation(const Instruction &I, unsigned Depth) const;

private:
  static Form scaled(Form Of, double Factor) {
    for (Term &T : Of)
      T.Factor *= Factor;
    return Of;
  }

  static std::optional<Form> sum(std::optional<Form> A, std::optional<Form> C,
                                 double Sign) {
    if (!A || !C)
      return std::nullopt;
    for (const Term &T : scaled(*C, Sign)) {
      auto *Same =
          find_if(*A, [&](const Term &Old) { return Old.Leaf == T.Leaf; });
      if (Same != A->end())
        Same->Factor += T.Factor;
      else
        A->push_back(T);
    }
    return A;
  }

  std::optional<Form> scaledBy(const Instruction &I, const Value *X,
                               const APInt &K, unsigned Depth) const {
    // Larger factors are those of hash functions.
    constexpr unsigned MaxShift = 8;
    constexpr uint64_t MaxFactor = 256;
    std::optional<Form> Of = of(X, Depth);
    if (!Of)
      return std::nullopt;
    switch (I.getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
      if (K.uge(B.end()))
        return Form();
      return scaled(*Of, std::ldexp(1.0, -int(K.getZExtValue())));
    case Instruction::Shl:
      if (K.ugt(MaxShift))
        return std::nullopt;
      return scaled(*Of, std::ldexp(1.0, int(K.getZExtValue())));
    case Instruction::Mul:
      if (K.abs().ugt(MaxFactor))
        return std::nullopt;
      return scaled(*Of, double(K.getSExtValue()));
    case Instruction::UDiv:
    case Instruction::SDiv:
      if (K.abs().ugt(MaxFactor) || K.isZero())
        return std::nullopt;
      return scaled(*Of, 1 / double(K.getSExtValue()));
    default:
      return std::nullopt;
    }
  }

  /// The upper mantissa as it is, or none of it.
  std::optional<Form> masked(const Value *X, const APInt &Mask,
                             unsigned Depth) const {
    APInt Kept = Mask & B.mantissa();
    if (Kept.isZero())
      return of(X, Depth) ? std::optional(Form()) : std::nullopt;
    unsigned Cleared = Kept.countr_zero();
    if (Cleared > B.end() || Kept.popcount() + Cleared != B.Mantissa)
      return std::nullopt;
    return of(X, Depth);
  }

  /// \p New is inactive and changes the exponent and the sign alone.
  std::optional<Form> replacing(const Value *X, const Value *New,
                                unsigned Depth) const {
    if (!B.mantissa().isSubsetOf(computeKnownBits(New, DL).Zero))
      return std::nullopt;
    return of(X, Depth);
  }

  /// The mantissa of one float and the exponent of another.
  std::optional<Form> joined(const Value *X, const Value *Y,
                             unsigned Depth) const {
    std::optional<Form> A = of(X, Depth), C = of(Y, Depth);
    if (!A || !C || A->empty() == C->empty() ||
        !haveNoCommonBitsSet(X, Y, SimplifyQuery(DL)))
      return std::nullopt;
    return A->empty() ? C : A;
  }

  const Facts &F;
  const Instruction &At;
  const Bits B;
  const DataLayout &DL;
};

std::optional<Form> FormBuilder::ofOperation(const Instruction &I,
                                             unsigned Depth) const {
  const Value *X = I.getOperand(0), *Y = I.getOperand(1);
  const APInt *K = constantOf(Y);
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(of(X, Depth), of(Y, Depth), 1.0);
  case Instruction::Sub:
    return sum(of(X, Depth), of(Y, Depth), -1.0);
  case Instruction::Or:
    return K || !F.isActive(Y) ? replacing(X, Y, Depth)
           : !F.isActive(X)    ? replacing(Y, X, Depth)
                               : joined(X, Y, Depth);
  case Instruction::And:
    return K ? masked(X, *K, Depth) : std::nullopt;
  default:
    return K ? scaledBy(I, X, *K, Depth) : std::nullopt;
  }
}

/// An operation that moves bits to other places, or replaces an exponent: the
/// others are moves of whole floats and tricks with signs (BitMoves.cpp).
bool isArithmetic(const Instruction &I) {
  const Bits B(I.getType());
  const APInt *K = constantOf(I.getOperand(1));
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
    return true;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return K && K->urem(8) != 0;
  case Instruction::And:
    return K && (*K & B.exponent()) != B.exponent() &&
           !(*K & B.exponent()).isZero();
  case Instruction::Or: {
    const DataLayout &DL = I.getDataLayout();
    for (const Value *Op : I.operand_values()) {
      KnownBits Known = computeKnownBits(Op, DL);
      if (B.mantissa().isSubsetOf(Known.Zero) &&
          !B.exponent().isSubsetOf(Known.Zero))
        return true;
    }
    return false;
  }
  default:
    return false;
  }
}

bool isConversion(const Instruction &I) {
  return isa<SIToFPInst, UIToFPInst>(I) && isInteger(I.getOperand(0));
}

std::optional<Form> formOf(const Instruction &I, const Facts &F) {
  if (isConversion(I))
    return F.isActive(&I)
               ? FormBuilder(F, *I.getOperand(0), I).of(I.getOperand(0), 0)
               : std::nullopt;
  if (!isa<BinaryOperator>(I) || !isInteger(&I) || !F.isActive(&I))
    return std::nullopt;
  Type *Float = F.Types->floatTypeOf(&I);
  if (!Float ||
      Float->getPrimitiveSizeInBits() != I.getType()->getScalarSizeInBits() ||
      !isArithmetic(I))
    return std::nullopt;
  return FormBuilder(F, I, I).ofOperation(I, 0);
}

/// Whether all that becomes of \p I, which is no float, is such arithmetic.
bool isPart(const Instruction &I, const Facts &F, unsigned Depth) {
  constexpr unsigned MaxDepth = 6;
  if (!isa<BinaryOperator>(I) || !isInteger(&I) || !F.isActive(&I) ||
      F.Types->floatTypeOf(&I) || Depth == MaxDepth)
    return false;
  bool Used = false;
  for (const User *U : I.users()) {
    auto *By = dyn_cast<Instruction>(U);
    if (!By || !F.isActive(By))
      continue;
    if (By->getParent() != I.getParent() ||
        !(formOf(*By, F) || isPart(*By, F, Depth + 1)))
      return false;
    Used = true;
  }
  return Used;
}

class BitArithmeticRule : public Rule {
public:
  void needs(const Instruction &I, NeedsContext &C) const override {
    std::optional<Form> Of = formOf(I, C.facts());
    if (!Of && isConversion(I) && C.isActive(&I))
      return C.refuse(I, Diag::UnsupportedInstruction,
                      {"integer arithmetic on the bits of an active float"});
    if (!Of || Of->empty())
      return;
    if (!isConversion(I))
      C.primal(&I);
    for (const Term &T : *Of)
      C.primal(T.Leaf);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    if (!C.carries(&I))
      return;
    Value *Sum = C.L.zero(I.getType());
    if (std::optional<Form> Of = formOf(I, C.facts()))
      for (const Term &T : *Of) {
        Value *Dual = C.L.map(C.B, {C.dual(T.Leaf)}, [&](ArrayRef<Value *> D) {
          return asFloat(D[0], C);
        });
        // (The slope of a number that is no float now may be infinite.)
        Value *Part = C.product(slope(I, T, C), Dual);
        Sum = C.L.map(C.B, {Sum, Part}, [&](ArrayRef<Value *> D) {
          if (isConversion(I))
            return C.B.CreateFAdd(D[0], C.B.CreateFPCast(D[1], I.getType()));
          return C.B.CreateBitCast(C.B.CreateFAdd(asFloat(D[0], C), D[1]),
                                   I.getType());
        });
      }
    C.setDual(&I, Sum);
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    Value *Adjoint = C.isActive(&I) ? C.takeAdjoint(&I) : nullptr;
    std::optional<Form> Of = formOf(I, C.facts());
    if (!Adjoint || !Of)
      return;
    for (const Term &T : *Of) {
      Value *Whole = C.L.map(C.B, {Adjoint}, [&](ArrayRef<Value *> A) {
        return asFloat(A[0], C, T.Leaf);
      });
      Value *Part = C.product(slope(I, T, C), Whole);
      C.addAdjoint(T.Leaf, C.L.map(C.B, {Part}, [&](ArrayRef<Value *> A) {
        return C.B.CreateBitCast(A[0], T.Leaf->getType());
      }));
    }
  }

private:
  /// Bits as the float that they are. What a conversion made is one, maybe of
  /// another size: as that of \p Like then.
  static Value *asFloat(Value *V, EmitContext &C, const Value *Like = nullptr) {
    Type *Ty = V->getType();
    if (!Ty->isFPOrFPVectorTy())
      return C.B.CreateBitCast(V, floatsLike(Ty));
    return Like ? C.B.CreateFPCast(V, floatsLike(Like->getType())) : V;
  }

  static Type *floatsLike(Type *Ty) {
    return Ty->getWithNewType(Bits(Ty).floatType(Ty->getContext()));
  }

  /// 2^e of the float whose bits are \p V, with its sign.
  static Value *power(Value *V, EmitContext &C) {
    Type *Ty = V->getType();
    const Bits B(Ty);
    auto constant = [&](const APInt &K) { return ConstantInt::get(Ty, K); };
    Value *Exponent = C.B.CreateAnd(V, constant(B.exponent()));
    Value *Head = C.B.CreateAnd(V, constant(B.exponent() | B.sign()));
    // Denormal numbers are as far apart as the smallest normal ones.
    Value *Smallest =
        C.B.CreateOr(Head, constant(APInt::getOneBitSet(B.Width, B.Mantissa)));
    Value *Denormal = C.B.CreateICmpEQ(Exponent, Constant::getNullValue(Ty));
    return asFloat(C.B.CreateSelect(Denormal, Smallest, Head), C);
  }

  static Value *slope(const Instruction &I, const Term &T, EmitContext &C) {
    Value *X = power(C.primal(T.Leaf), C);
    const Bits B(T.Leaf->getType());
    Value *Y = isConversion(I)
                   ? ConstantFP::get(X->getType(), std::ldexp(1.0, B.Mantissa))
                   : power(C.primal(&I), C);
    return C.B.CreateFMul(C.B.CreateFDiv(Y, X),
                          ConstantFP::get(X->getType(), T.Factor));
  }
};

} // namespace

bool isBitArithmetic(const Instruction &I, const Facts &F) {
  return formOf(I, F) || isPart(I, F, 0) || (isConversion(I) && F.isActive(&I));
}

const Rule &bitArithmeticRule() {
  static const BitArithmeticRule R;
  return R;
}

} // namespace adze
