// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of integers. An integer may be a number, or carry the bits of
// floats that SROA, memcpy lowering or a C programmer moved into it. Moves of
// whole bytes (zext, trunc, shifts by bytes, or of disjoint parts) and sign
// masks keep what the bytes are; arithmetic makes numbers. Arithmetic on the
// bits of floats exists (fast inverse square roots), so what it says of its
// operands is only a hint.
#include "Analysis/Type/FunctionTypes.h"
#include "Analysis/Type/IRTypes.h"
#include "adze/AddressMarks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace adze;

static TypeTree zeroBytes(uint64_t Begin, uint64_t End, const Value *Why) {
  return End > Begin ? TypeTree::at(Begin, End - Begin, ConcreteType::Anything,
                                    Certainty::Hint, Why)
                     : TypeTree();
}

void FunctionTypes::flowCast(const Instruction &I) {
  const Value *Op = I.getOperand(0);
  // Of integers of a whole number of bytes we know where the bytes go.
  auto WholeBytes = [](Type *Ty) {
    return Ty->isIntegerTy() && Ty->getIntegerBitWidth() % 8 == 0;
  };
  bool Scalar = WholeBytes(I.getType()) && WholeBytes(Op->getType());
  switch (I.getOpcode()) {
  case Instruction::BitCast:
    if (!I.getType()->isPointerTy())
      flowSame(&I, Op);
    return;
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    if (sizeOf(&I) == sizeOf(Op) && !I.getType()->isVectorTy())
      flowSame(&I, Op);
    return;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return addNumber(&I, Certainty::Definite, &I);
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return addNumber(Op, Certainty::Definite, &I);
  case Instruction::Trunc:
    if (Scalar)
      flowPart(Op, &I, 0);
    return;
  case Instruction::ZExt:
    if (!Scalar) {
      if (Op->getType()->isIntOrIntVectorTy(1))
        addNumber(&I, Certainty::Indirect, &I);
      return;
    }
    flowPart(&I, Op, 0);
    if (isNumber(Op) && !isa<Constant>(Op))
      return addNumber(&I, Certainty::Indirect, &I);
    return addOwn(&I, zeroBytes(sizeOf(Op), sizeOf(&I), &I));
  case Instruction::SExt:
    // The sign of a number; also of a comparison's mask.
    addNumber(Op, Certainty::Hint, &I);
    return addNumber(&I, Certainty::Hint, &I);
  default:
    return;
  }
}

void FunctionTypes::flowBinary(const Instruction &I) {
  if (!I.getType()->isIntOrIntVectorTy())
    return;
  flowAddress(I);
  switch (I.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return flowBitwise(I);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return flowShift(I);
  default:
    return flowArithmetic(I);
  }
}

/// Addresses that are marked in low or high bits, scaled, or hidden: what the
/// result is, an operand must be, and the other one is a number. (Of the
/// links of a list that are the difference or the "exclusive or" of two
/// addresses, both are addresses.)
void FunctionTypes::flowAddress(const Instruction &I) {
  if (!I.getType()->isIntegerTy() || sizeOf(&I) != DL.getPointerSize())
    return;
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  bool Commutes = I.isCommutative();
  bool OfXor = I.getOpcode() == Instruction::Xor;
  if (isMovedDistance(I))
    return;
  if (isPointer(&I)) {
    if (isSurelyNumber(B) || (OfXor && isPointer(B)))
      addAddress(A, Certainty::Indirect, &I);
    else if ((Commutes || I.getOpcode() == Instruction::Sub) &&
             (isSurelyNumber(A) || (OfXor && isPointer(A))))
      addAddress(B, Certainty::Indirect, &I);
    return;
  }
  bool PointerA = isPointer(A), PointerB = isPointer(B);
  if (OfXor && PointerA && PointerB)
    return addAddress(&I, Certainty::Hint, &I);
  if (PointerA == PointerB)
    return;
  switch (I.getOpcode()) {
  case Instruction::Or:
  case Instruction::Xor:
    return addAddress(&I, Certainty::Indirect, &I); // marked, or hidden
  case Instruction::Sub:
    if (PointerB)
      addAddress(&I, Certainty::Hint, &I);
    return;
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
    if (PointerA && isa<ConstantInt>(B))
      addAddress(&I, Certainty::Hint, &I);
    return;
  case Instruction::And:
    // A variable mask.
    if (!isa<ConstantInt>(PointerA ? B : A))
      addAddress(&I, Certainty::Hint, &I);
    return;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    // A mark in high bits is taken out, or the rest of the address.
    if (auto *By = dyn_cast<ConstantInt>(B); By && PointerA)
      if (By->getValue().ult(DL.getPointerSizeInBits() / 2))
        addAddress(&I, Certainty::Hint, &I);
    return;
  default:
    return;
  }
}

void FunctionTypes::flowArithmetic(const Instruction &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  if (isMovedDistance(I))
    return addNumber(&I, Certainty::Definite, &I);
  bool Linear =
      I.getOpcode() == Instruction::Add || I.getOpcode() == Instruction::Sub;
  TypeTree Result = own(&I);
  TypeTree TA = own(A), TB = own(B);
  bool PointerA = layout(A).has(ConcreteType::Pointer);
  bool PointerB = layout(B).has(ConcreteType::Pointer);
  if (Linear && PointerA != PointerB && isNumber(PointerA ? B : A)) {
    // An address and a distance; where it leads to is not followed.
    bool Subtracted = PointerB && I.getOpcode() == Instruction::Sub;
    if (!Subtracted)
      addOwn(&I, TypeTree::at(0, sizeOf(&I), ConcreteType::Pointer,
                              Certainty::Indirect, &I));
    return;
  }
  if (isNumber(A) && isNumber(B)) {
    addNumber(&I, Certainty::Indirect, &I);
    return;
  }
  // Two addresses make a distance; otherwise an operand that is not known to
  // be anything else is a number.
  Certainty C = Linear ? Certainty::Hint : Certainty::Indirect;
  for (const Value *Op : {A, B})
    if (!(Linear && (Op == A ? PointerA : PointerB)))
      addNumber(Op, C, &I);
  addNumber(&I, PointerA && PointerB ? Certainty::Indirect : Certainty::Hint,
            &I);
}

void FunctionTypes::flowShift(const Instruction &I) {
  const Value *Op = I.getOperand(0);
  auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
  bool Left = I.getOpcode() == Instruction::Shl;
  uint64_t Size = sizeOf(&I);
  if (!By)
    addNumber(I.getOperand(1), Certainty::Hint, &I);
  if (!By || By->getValue().uge(Size * 8) || By->getZExtValue() % 8 != 0 ||
      !I.getType()->isIntegerTy(Size * 8)) {
    if (isNumber(Op))
      addNumber(&I, Certainty::Indirect, &I);
    else if (Left && isNumber(&I))
      addNumber(Op, Certainty::Hint, &I); // a multiple
    return;
  }
  uint64_t Bytes = By->getZExtValue() / 8;
  if (isNumber(Op) && !isa<Constant>(Op))
    addNumber(&I, Certainty::Indirect, &I);
  if (Left) {
    addOwn(&I, own(Op).slice(0, Size - Bytes).shifted(int64_t(Bytes)));
    addOwn(Op, own(&I).slice(Bytes, Size - Bytes));
    addOwn(&I, zeroBytes(0, Bytes, &I));
    return;
  }
  addOwn(&I, own(Op).slice(Bytes, Size - Bytes));
  addOwn(Op, own(&I).slice(0, Size - Bytes).shifted(int64_t(Bytes)));
  if (I.getOpcode() == Instruction::LShr)
    addOwn(&I, zeroBytes(Size - Bytes, Size, &I));
}

/// What a constant operand of and/or/xor does to one scalar of the other.
enum class MaskEffect { Keeps, Clears, Breaks };

/// \p Bits: the constant's bits over the scalar.
static MaskEffect effectOn(unsigned Opcode, const APInt &Bits, bool IsFloat) {
  bool IsAnd = Opcode == Instruction::And;
  if (IsAnd && Bits.isZero())
    return MaskEffect::Clears;
  // The sign bit may be set, cleared, flipped or cut out: a float stays a
  // float (fabs, negation, the halves of copysign).
  APInt Rest = Bits;
  if (IsFloat)
    IsAnd ? Rest.setSignBit() : Rest.clearSignBit();
  bool Neutral = IsAnd ? Rest.isAllOnes() : Rest.isZero();
  bool OnlySign = IsAnd && IsFloat && Bits.isSignMask();
  return Neutral || OnlySign ? MaskEffect::Keeps : MaskEffect::Breaks;
}

/// What the mask \p Bits leaves of an address leads nowhere: a mark in low
/// bits, the distance to an aligned place, or a mark in high bits.
static bool isMarkOf(const APInt &Bits) {
  constexpr unsigned LowBits = 16, AddressBits = 48;
  return Bits.getActiveBits() <= LowBits || (Bits.getBitWidth() > AddressBits &&
                                             Bits.countr_zero() >= AddressBits);
}

/// One operand of and/or/xor is the constant \p Mask.
void FunctionTypes::flowMask(const Instruction &I, const Value *Op,
                             const APInt &Mask) {
  unsigned Opcode = I.getOpcode();
  uint64_t Size = sizeOf(&I);
  auto Keep = [&](const TypeTree &From, bool Forward) {
    TypeTree Out, Whole = From.slice(0, Size);
    for (const TypeFact &Run : Whole.facts()) {
      TypeFact F = Run;
      for (uint64_t N = 0; N != Run.Place.Count; ++N) {
        F.Place = TypePlace();
        F.Place.Start = Run.Place.Start + N * Run.Place.Stride;
        F.Place.Size = Run.Place.Size;
        APInt Bits = Mask.extractBits(F.Place.Size * 8, F.Place.Start * 8);
        MaskEffect E = effectOn(Opcode, Bits, F.Type.isFloat());
        bool IsAny = F.Type.kind() == ConcreteType::Anything;
        // Constant bits over zeros are constant, masked numbers are numbers,
        // an aligned address is an address (to what, is not followed).
        if (Forward && E == MaskEffect::Clears)
          F.Type = ConcreteType::Anything;
        else if (E != MaskEffect::Keeps && F.Type.isPointer() && Forward &&
                 Opcode == Instruction::And && isMarkOf(Bits))
          F.Type = ConcreteType::Integer;
        else if (E != MaskEffect::Keeps && F.Type.isPointer() && Forward)
          F.Pointee = TypeTree();
        else if (E != MaskEffect::Keeps && !(Forward && IsAny) &&
                 !F.Type.isInteger())
          continue;
        Certainty C = F.Type.isInteger() && E != MaskEffect::Keeps
                          ? std::min(F.Sure, Forward ? Certainty::Indirect
                                                     : Certainty::Hint)
                          : F.Sure;
        Out.join(TypeTree::of(F.Place, F.Type, C, F.Witness, F.Pointee));
      }
    }
    return Out;
  };
  addOwn(&I, Keep(own(Op), /*Forward=*/true));
  for (uint64_t B = 0, End; Opcode == Instruction::And && B != Size; B = End) {
    for (End = B; End != Size && Mask.extractBits(8, End * 8).isZero();)
      ++End;
    addOwn(&I, zeroBytes(B, End, &I));
    End += End == B;
  }
  addOwn(Op, Keep(own(&I).dropping(ConcreteType::Anything), /*Forward=*/false));
}

/// The bits of a constant (or of a constant vector, in memory order).
static bool constantBits(const Value *V, uint64_t Size, APInt &Out) {
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    Out = C->getValue();
    return C->getBitWidth() == Size * 8;
  }
  auto *VT = dyn_cast<FixedVectorType>(V->getType());
  auto *C = dyn_cast<Constant>(V);
  if (!VT || !C || !VT->getElementType()->isIntegerTy())
    return false;
  unsigned Width = VT->getElementType()->getIntegerBitWidth();
  if (uint64_t(Width) * VT->getNumElements() != Size * 8)
    return false;
  Out = APInt(Size * 8, 0);
  for (unsigned I = 0; I != VT->getNumElements(); ++I) {
    auto *E = dyn_cast_or_null<ConstantInt>(C->getAggregateElement(I));
    if (!E)
      return false;
    Out.insertBits(E->getValue(), I * Width);
  }
  return true;
}

/// All ones or all zeros in each element: the sign-extended result of a
/// comparison. Masking with it keeps or clears whole scalars.
static bool isSelectMask(const Value *V) {
  auto *S = dyn_cast<SExtInst>(V);
  return S && S->getOperand(0)->getType()->isIntOrIntVectorTy(1);
}

/// Where the result of and/xor is a float, one operand is the float and the
/// other changes its sign or clears it. Which, types do not say.
static TypeTree floatOrMask(const TypeTree &Result, const Instruction &I) {
  TypeTree Out;
  for (const TypeFact &F : Result.facts())
    if (F.Type.isFloat())
      Out.join(TypeTree::of(F.Place, F.Type, Certainty::Hint, &I));
  return Out;
}

void FunctionTypes::flowBitwise(const Instruction &I) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  uint64_t Size = sizeOf(&I);
  if (I.getType()->isIntOrIntVectorTy(1))
    return;
  APInt Bits;
  if (constantBits(B, Size, Bits))
    return flowMask(I, A, Bits);
  if (constantBits(A, Size, Bits))
    return flowMask(I, B, Bits);
  if (I.getOpcode() == Instruction::And &&
      (isSelectMask(A) || isSelectMask(B))) {
    flowSame(&I, isSelectMask(B) ? A : B);
    return;
  }
  TypeTree TA = own(A), TB = own(B);
  // Bytes that only one side has, the other being zero there, or both agree.
  addOwn(&I, TypeTree::meet(TA, TB));
  if (isNumber(A) && isNumber(B))
    return addNumber(&I, Certainty::Indirect, &I);
  // Where one side is zero, the other is what the result is.
  TypeTree Result = own(&I).dropping(ConcreteType::Anything);
  addOwn(A, TypeTree::meet(Result, TB.only(ConcreteType::Anything))
                .dropping(ConcreteType::Anything));
  addOwn(B, TypeTree::meet(Result, TA.only(ConcreteType::Anything))
                .dropping(ConcreteType::Anything));
  if (I.getOpcode() != Instruction::Or)
    for (const Value *Op : {A, B})
      if (!isNumber(Op))
        addOwn(Op, floatOrMask(Result, I));
}

/// Orders are of numbers. (A test of the sign bit of a float looks the same:
/// a hint.)
void FunctionTypes::flowCompare(const Instruction &I) {
  auto &C = cast<ICmpInst>(I);
  const Value *A = C.getOperand(0), *B = C.getOperand(1);
  if (!A->getType()->isIntOrIntVectorTy())
    return;
  // What is compared with a number is one.
  bool Both = !C.isEquality();
  if (Both || (!isa<Constant>(B) && isNumber(B)))
    addNumber(A, Certainty::Hint, &I);
  if (Both || (!isa<Constant>(A) && isNumber(A)))
    addNumber(B, Certainty::Hint, &I);
}
