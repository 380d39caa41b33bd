// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method (Abramowitz and Stegun 6.3.5, 6.3.7, 6.3.18):
//   reflection   x <= 0:  psi(x) = psi(1 - x) - pi / tan(pi x)
//   recurrence   y < L:   psi(y) = psi(y + 1) - 1 / y
//   asymptotic   y >= L:  psi(y) ~ ln y - 1 / (2 y) - sum B_2k / (2k y^2k)
// With L = 10 and eight terms the remainder is below 2^-53, with L = 20 below
// 2^-64. At the poles the result is infinite.
#include "DigammaFunction.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
class DigammaWriter {
public:
  explicit DigammaWriter(Function &F)
      : F(F), Ty(F.getReturnType()), B(F.getContext()) {}
  void write();

private:
  BasicBlock *block(const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  }
  Constant *number(double N) { return ConstantFP::get(Ty, N); }
  /// Exact to the last digit of Ty.
  Constant *fraction(int64_t Over, int64_t Under) {
    APFloat Quotient(static_cast<double>(Over)),
        Divisor(static_cast<double>(Under));
    bool Inexact;
    for (APFloat *N : {&Quotient, &Divisor})
      N->convert(Ty->getFltSemantics(), APFloat::rmNearestTiesToEven, &Inexact);
    Quotient.divide(Divisor, APFloat::rmNearestTiesToEven);
    return ConstantFP::get(F.getContext(), Quotient);
  }
  Value *reflected(Value *X);
  Value *asymptotic(Value *Y);

  Function &F;
  Type *Ty;
  IRBuilder<> B;
};
} // namespace

/// pi / tan(pi x); x is brought near 0 first, which the tangent's period
/// allows and pi's rounding demands.
Value *DigammaWriter::reflected(Value *X) {
  Constant *Pi = ConstantFP::get(Ty, "3.14159265358979323846264338327950288");
  Value *Near = B.CreateFSub(X, B.CreateUnaryIntrinsic(Intrinsic::rint, X));
  Value *Angle = B.CreateFMul(Pi, Near);
  Value *Sin = B.CreateUnaryIntrinsic(Intrinsic::sin, Angle);
  Value *Cos = B.CreateUnaryIntrinsic(Intrinsic::cos, Angle);
  return B.CreateFDiv(B.CreateFMul(Pi, Cos), Sin);
}

Value *DigammaWriter::asymptotic(Value *Y) {
  // B_2k / 2k for k = 8 .. 1
  static const int64_t Terms[][2] = {{-3617, 8160}, {1, 12},   {-691, 32760},
                                     {1, 132},      {-1, 240}, {1, 252},
                                     {-1, 120},     {1, 12}};
  Value *OverY = B.CreateFDiv(number(1), Y);
  Value *Square = B.CreateFMul(OverY, OverY);
  Value *Sum = number(0);
  for (auto [Over, Under] : Terms)
    Sum = B.CreateFMul(B.CreateFAdd(Sum, fraction(Over, Under)), Square);
  Value *Log = B.CreateUnaryIntrinsic(Intrinsic::log, Y);
  Value *Half = B.CreateFMul(number(0.5), OverY);
  return B.CreateFSub(B.CreateFSub(Log, Half), Sum);
}

void DigammaWriter::write() {
  BasicBlock *Entry = block("entry"), *Reflect = block("reflect"),
             *Start = block("start"), *Header = block("recur"),
             *Body = block("step"), *Done = block("done");
  Value *X = F.getArg(0);
  B.SetInsertPoint(Entry);
  B.CreateCondBr(B.CreateFCmpOLE(X, number(0)), Reflect, Start);

  B.SetInsertPoint(Reflect);
  Value *OneMinusX = B.CreateFSub(number(1), X);
  Value *Reflected = B.CreateFNeg(reflected(X));
  B.CreateBr(Start);

  B.SetInsertPoint(Start);
  PHINode *Y0 = B.CreatePHI(Ty, 2), *Sum0 = B.CreatePHI(Ty, 2);
  Y0->addIncoming(X, Entry);
  Y0->addIncoming(OneMinusX, Reflect);
  Sum0->addIncoming(number(0), Entry);
  Sum0->addIncoming(Reflected, Reflect);
  B.CreateBr(Header);

  B.SetInsertPoint(Header);
  PHINode *Y = B.CreatePHI(Ty, 2), *Sum = B.CreatePHI(Ty, 2);
  const double L = Ty->isDoubleTy() ? 10 : 20;
  B.CreateCondBr(B.CreateFCmpOLT(Y, number(L)), Body, Done);

  B.SetInsertPoint(Body);
  Value *NextSum = B.CreateFSub(Sum, B.CreateFDiv(number(1), Y));
  Value *NextY = B.CreateFAdd(Y, number(1));
  B.CreateBr(Header);
  Y->addIncoming(Y0, Start);
  Y->addIncoming(NextY, Body);
  Sum->addIncoming(Sum0, Start);
  Sum->addIncoming(NextSum, Body);

  B.SetInsertPoint(Done);
  B.CreateRet(B.CreateFAdd(Sum, asymptotic(Y)));
}

static Function *declareDigamma(Module &M, Type *Ty, const char *Name) {
  auto *F = Function::Create(FunctionType::get(Ty, {Ty}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
        Attribute::NoSync, Attribute::NoRecurse})
    F->addFnAttr(Kind);
  return F;
}

Function *adze::digammaFunction(Module &M, Type *Ty) {
  const char *Name = Ty->isFloatTy()      ? "adze.digamma.f32"
                     : Ty->isDoubleTy()   ? "adze.digamma.f64"
                     : Ty->isX86_FP80Ty() ? "adze.digamma.f80"
                     : Ty->isFP128Ty()    ? "adze.digamma.f128"
                                          : nullptr;
  if (!Name)
    return nullptr;
  if (Function *Existing = M.getFunction(Name))
    return Existing;
  Function *F = declareDigamma(M, Ty, Name);
  if (!Ty->isFloatTy()) {
    DigammaWriter(*F).write();
    return F;
  }
  // Single precision goes through double: exact to the last bit, and the
  // recurrence loses nothing.
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Type *Double = B.getDoubleTy();
  Value *Wide = B.CreateCall(digammaFunction(M, Double),
                             {B.CreateFPExt(F->getArg(0), Double)});
  B.CreateRet(B.CreateFPTrunc(Wide, Ty));
  return F;
}
