// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FloatBits.h"
#include "Rules.h"
#include "adze/OwnFunction.h"
#include "adze/RuntimeStop.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

const char *const Meet =
    "a float was moved in parts, or as bytes of unknown type, and is used "
    "elsewhere too: adjoints of its parts cannot be added";

/// The top bit of each byte of \p V that is not zero.
Value *usedBytes(IRBuilderBase &B, Value *V) {
  Type *Ty = V->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  Constant *Low = ConstantInt::get(Ty, APInt::getSplat(Width, APInt(8, 0x7f)));
  Constant *Top = ConstantInt::get(Ty, APInt::getSplat(Width, APInt(8, 0x80)));
  Value *Carried = B.CreateAdd(B.CreateAnd(V, Low), Low);
  return B.CreateAnd(B.CreateOr(Carried, V), Top);
}

/// \p V, or 0 for that of -0.0, which adds nothing. (Of half a double, that is
/// less than the smallest normal number.)
Value *withoutMinusZero(IRBuilderBase &B, Value *V) {
  Type *Ty = V->getType();
  const unsigned Width = Ty->getIntegerBitWidth();
  if (Width < 32)
    return V;
  Constant *Sign = ConstantInt::get(Ty, APInt::getSignMask(Width));
  return B.CreateSelect(B.CreateICmpEQ(V, Sign), Constant::getNullValue(Ty), V);
}

/// i1: a byte is used in both.
Value *meet(IRBuilderBase &B, Value *A, Value *C) {
  if (A->getType()->getIntegerBitWidth() % 8 != 0)
    return B.CreateAnd(B.CreateIsNotNull(A), B.CreateIsNotNull(C));
  return B.CreateIsNotNull(B.CreateAnd(usedBytes(B, A), usedBytes(B, C)));
}

Function *makeFunction(Module &M, const std::string &Name, Type *Result,
                       ArrayRef<Type *> Args) {
  Function *F = createOwn(FunctionType::get(Result, Args, false),
                          GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  return F;
}

/// iN f(iN, iN)
Function *addFunction(Module &M, Type *Ty) {
  std::string Name =
      "adze.bits.add." + std::to_string(Ty->getIntegerBitWidth());
  if (Function *F = M.getFunction(Name))
    return F;
  Function *F = makeFunction(M, Name, Ty, {Ty, Ty});
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *First = withoutMinusZero(B, F->getArg(0));
  Value *Second = withoutMinusZero(B, F->getArg(1));
  emitRuntimeStopIf(B, meet(B, First, Second), Meet);
  B.CreateRet(B.CreateOr(First, Second));
  return F;
}

Type *asInteger(Type *Ty) {
  return Ty->isVectorTy()
             ? IntegerType::get(Ty->getContext(), Ty->getPrimitiveSizeInBits())
             : Ty;
}

/// The one float type of \p Layout, and only if it stands on its own grid.
uint64_t floatGrid(const BlockLayout &Layout) {
  Type *Float = nullptr;
  for (const TypedRange &R : Layout.Ranges) {
    if (!R.Type.isFloat())
      continue;
    if (Float && Float != R.Type.floatType())
      return 0;
    Float = R.Type.floatType();
    if (R.Begin % (Float->getPrimitiveSizeInBits() / 8) != 0)
      return 0;
  }
  return Float ? Float->getPrimitiveSizeInBits() / 8 : 0;
}

/// A constant that keeps or clears whole floats, their signs, or the ends of
/// their mantissas.
bool keepsFloats(const APInt &Mask, uint64_t Bytes) {
  unsigned Bits = Bytes * 8;
  if (Mask.getBitWidth() % Bits != 0)
    return false;
  for (unsigned At = 0; At < Mask.getBitWidth(); At += Bits) {
    APInt Part = Mask.extractBits(Bits, At);
    bool Signs = Part.isSignMask() || (~Part).isSignMask();
    bool Rounds = (~Part).isMask() && (~Part).countr_one() <= Bits / 2;
    if (!Part.isZero() && !Part.isAllOnes() && !Signs && !Rounds)
      return false;
  }
  return true;
}

/// \p User takes a part of a float out of its first operand.
bool takesPart(const Instruction &User, const BlockLayout &Layout,
               uint64_t Bytes) {
  auto *By = User.getNumOperands() == 2
                 ? dyn_cast<ConstantInt>(User.getOperand(1))
                 : nullptr;
  switch (User.getOpcode()) {
  case Instruction::Trunc: {
    unsigned Kept = User.getType()->getScalarSizeInBits();
    if (User.getType()->isVectorTy())
      return Kept % (Bytes * 8) != 0;
    return Kept % 8 != 0 || straddles(Layout, Kept / 8);
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return !By || By->getValue().urem(Bytes * 8) != 0;
  case Instruction::And:
    return By && !keepsFloats(By->getValue(), Bytes);
  default:
    return false;
  }
}

} // namespace

Value *addBits(IRBuilderBase &B, Value *A, Value *C) {
  Type *Ty = A->getType(), *Int = asInteger(Ty);
  Function *Derivative = B.GetInsertBlock()->getParent();
  Derivative->addFnAttr(AddsPartsOfFloats);
  Function *Add = addFunction(*Derivative->getParent(), Int);
  Value *Sum =
      B.CreateCall(Add, {B.CreateBitCast(A, Int), B.CreateBitCast(C, Int)});
  return B.CreateBitCast(Sum, Ty);
}

void emitStopIfUsed(IRBuilderBase &B, Value *Dual, StringRef Reason) {
  Value *Int = B.CreateBitCast(Dual, asInteger(Dual->getType()));
  if (auto *C = dyn_cast<Constant>(Int); C && C->isNullValue())
    return;
  if (Int->getType()->isIntegerTy())
    Int = withoutMinusZero(B, Int);
  emitRuntimeStopIf(B, B.CreateIsNotNull(Int), Reason);
}

namespace {

/// i1: \p Adjoint is not zero, but its last byte is.
Value *isTail(IRBuilderBase &B, Value *Adjoint) {
  Type *Ty = Adjoint->getType();
  const unsigned Width = Ty->getIntegerBitWidth();
  Value *Below = B.CreateICmpULT(
      Adjoint, ConstantInt::get(Ty, APInt::getOneBitSet(Width, Width - 8)));
  return B.CreateAnd(Below, B.CreateIsNotNull(Adjoint));
}

/// Whether parts of a float have its last byte.
struct PartsTaken {
  bool Head = false, Tail = false;
};

/// What \p User takes of \p Bits; nothing where that is the whole.
PartsTaken partsTakenBy(const Instruction &User, const Value *Bits) {
  const unsigned Width = Bits->getType()->getIntegerBitWidth();
  constexpr PartsTaken Unknown{false, true};
  const auto *By = User.getNumOperands() == 2
                       ? dyn_cast<ConstantInt>(User.getOperand(1))
                       : nullptr;
  auto upTo = [&](uint64_t End) {
    return End + 8 > Width ? PartsTaken{true, false} : Unknown;
  };
  switch (User.getOpcode()) {
  case Instruction::Trunc:
    return upTo(User.getType()->getIntegerBitWidth());
  case Instruction::And:
    return By && By->getValue().getActiveBits() + 8 <= Width ? Unknown
                                                             : PartsTaken();
  case Instruction::LShr:
  case Instruction::AShr: {
    if (!By || By->getValue().uge(Width))
      return Unknown;
    PartsTaken Result;
    for (const llvm::User *U : User.users()) {
      auto *Cut = dyn_cast<TruncInst>(U);
      PartsTaken Of =
          Cut ? upTo(By->getZExtValue() + Cut->getType()->getIntegerBitWidth())
              : PartsTaken{true, false};
      Result.Head |= Of.Head;
      Result.Tail |= Of.Tail;
    }
    return Result;
  }
  case Instruction::Shl:
  case Instruction::Call: // who knows of what
  case Instruction::Ret:
    return Unknown;
  default:
    return {};
  }
}

} // namespace

void emitStopIfTail(IRBuilderBase &B, const Value *Bits, Value *Adjoint,
                    const Facts &F) {
  PartsTaken Taken;
  for (const User *U : Bits->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || !(F.isActive(I) || isa<CallBase, ReturnInst>(I)) ||
        isBitArithmetic(*I, F))
      continue;
    PartsTaken Of = partsTakenBy(*I, Bits);
    Taken.Head |= Of.Head;
    Taken.Tail |= Of.Tail;
  }
  if (!Taken.Tail || Taken.Head)
    return;
  emitRuntimeStopIf(B, isTail(B, Adjoint), Meet);
}

bool isPassedOn(const Value *V, const Facts &F) {
  Type *Float = F.Types->floatTypeOf(V);
  return Float && V->getType()->isIntegerTy() &&
         Float->getPrimitiveSizeInBits() ==
             V->getType()->getIntegerBitWidth() &&
         any_of(V->users(), [](const User *U) {
           return isa<CallBase>(U) && !isa<IntrinsicInst>(U);
         });
}

void emitStopIfTailMeets(IRBuilderBase &B, Value *A, Value *C) {
  Value *First = B.CreateAnd(isTail(B, A), B.CreateIsNotNull(C));
  Value *Second = B.CreateAnd(isTail(B, C), B.CreateIsNotNull(A));
  emitRuntimeStopIf(B, B.CreateOr(First, Second), Meet);
}

BlockLayout withoutNumbers(BlockLayout Layout) {
  for (TypedRange &R : Layout.Ranges)
    if (R.Type.isInteger())
      R.Type = ConcreteType();
  return Layout;
}

BlockLayout layoutOfBits(const Value *V, const Facts &F) {
  BlockLayout Layout = F.Types->valueLayout(V);
  if (V->getType()->isAggregateType() || !F.isActive(V) ||
      Layout.has(ConcreteType::Float))
    return Layout;
  return withoutNumbers(std::move(Layout));
}

bool straddles(const BlockLayout &Layout, uint64_t At) {
  At %= std::max<uint64_t>(Layout.Period, 1);
  for (const TypedRange &R : Layout.Ranges)
    if (R.Type.isFloat() && R.Begin < At && At < R.End &&
        (At - R.Begin) % (R.Type.floatType()->getPrimitiveSizeInBits() / 8))
      return true;
  return false;
}

bool isTakenApart(const Value *V, const Facts &F) {
  BlockLayout Layout = F.Types->valueLayout(V);
  uint64_t Bytes = floatGrid(Layout);
  if (Bytes == 0 || !V->getType()->isIntOrIntVectorTy())
    return false;
  return any_of(V->users(), [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I && I->getOperand(0) == V && takesPart(*I, Layout, Bytes) &&
           !isBitArithmetic(*I, F);
  });
}

} // namespace adze
