// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no type has the format, bits are rounded. With m the bits of the
// significand that are kept of M, and |x| as an integer n,
//
//   n + (2^(M-m-1) - 1) + bit M-m of n, the last M-m bits cleared
//
// is |x| rounded to nearest, ties to even: a carry goes into the exponent, as
// it has to. What is larger than the largest finite number is infinite. Below
// the least normal number 2^e the floats of the format are multiples of
// 2^(e-m): there (|x| + c) - c with c = 1.5 * 2^(e-m+M), whose last bit is
// worth 2^(e-m), rounds in the way that arithmetic does.
#include "Precision/Rounding.h"

#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/Precision.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace adze;

namespace {

constexpr char Prefix[] = "adze.round.";

class Rounder {
public:
  Rounder(const FloatFormat &Format, Function &F)
      : Format(Format), F(F),
        B(BasicBlock::Create(F.getContext(), "entry", &F)),
        Float(F.getReturnType()),
        Wide(Format.From == 64 ? APFloat::IEEEdouble() : APFloat::IEEEsingle()),
        M(APFloat::semanticsPrecision(Wide) - 1) {}

  void run() {
    Type *Int = IntegerType::get(F.getContext(), Format.From);
    if (auto *V = dyn_cast<VectorType>(Float))
      Int = VectorType::get(Int, V->getElementCount());
    const APInt Rest = APInt::getSignedMaxValue(Format.From);
    Value *X = F.getArg(0);
    Value *Bits = B.CreateBitCast(X, Int);
    Value *Size = B.CreateAnd(Bits, ConstantInt::get(Int, Rest));
    Value *Sign = B.CreateAnd(Bits, ConstantInt::get(Int, ~Rest));
    Value *Large = B.CreateICmpUGT(rounded(Size, Int),
                                   ConstantInt::get(Int, bits(largest())));
    Value *Finite = B.CreateSelect(
        Large, ConstantInt::get(Int, bits(APFloat::getInf(Wide))),
        rounded(Size, Int));
    Value *Small =
        B.CreateICmpULT(Size, ConstantInt::get(Int, bits(power(least()))));
    Value *Result =
        B.CreateSelect(Small, B.CreateBitCast(underflowed(Size), Int), Finite);
    Result = B.CreateBitCast(B.CreateOr(Result, Sign), Float);
    B.CreateRet(B.CreateSelect(B.CreateFCmpUNO(X, X), X, Result));
  }

private:
  int least() const { return 2 - (1 << (Format.Exponent - 1)); }

  APFloat power(int Exponent) const {
    return scalbn(APFloat::getOne(Wide), Exponent,
                  APFloat::rmNearestTiesToEven);
  }

  static APInt bits(const APFloat &X) { return X.bitcastToAPInt(); }

  APFloat largest() const {
    // 2 - 2^-m times the largest power.
    APFloat Two = power(1);
    Two.subtract(power(-int(Format.Significand)), APFloat::rmNearestTiesToEven);
    return scalbn(Two, (1 << (Format.Exponent - 1)) - 1,
                  APFloat::rmNearestTiesToEven);
  }

  Value *rounded(Value *Size, Type *Int) {
    const unsigned Cut = M - Format.Significand;
    if (Cut == 0)
      return Size;
    const unsigned Bits = Format.From;
    Value *Last = B.CreateAnd(B.CreateLShr(Size, Cut), 1);
    Value *Half = ConstantInt::get(
        Int, APInt::getLowBitsSet(Bits, Cut - 1)); // half of it, less one
    Value *Sum = B.CreateAdd(B.CreateAdd(Size, Half), Last);
    return B.CreateAnd(Sum,
                       ConstantInt::get(Int, ~APInt::getLowBitsSet(Bits, Cut)));
  }

  Value *underflowed(Value *Size) {
    APFloat C = power(least() - int(Format.Significand) + int(M));
    C.multiply(APFloat(Wide, "1.5"), APFloat::rmNearestTiesToEven);
    Value *Shift = ConstantFP::get(Float, C);
    return B.CreateFSub(B.CreateFAdd(B.CreateBitCast(Size, Float), Shift),
                        Shift);
  }

  const FloatFormat &Format;
  Function &F;
  IRBuilder<> B;
  Type *Float;
  const fltSemantics &Wide;
  const unsigned M;
};

std::string nameOf(const FloatFormat &Format, Type *Ty) {
  std::string Name = Prefix + Format.text();
  if (auto *V = dyn_cast<VectorType>(Ty)) {
    ElementCount N = V->getElementCount();
    Name += (N.isScalable() ? ".vscale" : ".v") +
            std::to_string(N.getKnownMinValue());
  }
  return Name;
}

Function &roundFunction(const FloatFormat &Format, Type *Ty, Module &M) {
  const std::string Name = nameOf(Format, Ty);
  if (Function *F = M.getFunction(Name); F && isOwn(*F))
    return *F;
  Function *F = createOwn(FunctionType::get(Ty, {Ty}, false),
                          GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  F->setWillReturn();
  F->addFnAttr(Attribute::NoInline);
  // Its derivative is one, as that of the float next to a number.
  F->addFnAttr(declared::Like, "nextup");
  Rounder(Format, *F).run();
  return *F;
}

} // namespace

Value *adze::roundTo(const FloatFormat &Format, Value *V, IRBuilderBase &B) {
  if (isRoundedTo(Format, V))
    return V;
  if (Type *Narrow = Format.nativeType(V->getContext()))
    return B.CreateFPExt(
        B.CreateFPTrunc(V, V->getType()->getWithNewType(Narrow)), V->getType());
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(&roundFunction(Format, V->getType(), M), {V});
}

bool adze::isRoundedTo(const FloatFormat &Format, const Value *V) {
  if (Type *Narrow = Format.nativeType(V->getContext())) {
    const auto *Wide = dyn_cast<FPExtInst>(V);
    return Wide && Wide->getSrcTy()->getScalarType() == Narrow;
  }
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && isOwn(*F) && F->getName() == nameOf(Format, V->getType());
}

void adze::inlineRoundings(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!isOwn(F) || !F.getName().starts_with(Prefix))
      continue;
    F.removeFnAttr(Attribute::NoInline);
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallBase>(U)) {
        InlineFunctionInfo Info;
        InlineFunction(*Call, Info);
      }
    if (F.use_empty())
      F.eraseFromParent();
  }
}
