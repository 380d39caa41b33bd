// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions over complex numbers as IR on their parts.
#include "adze/ComplexFunction.h"
#include "adze/ExprEmitter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace adze;
using namespace llvm;

namespace {

class ComplexEmitter {
public:
  ComplexEmitter(IRBuilderBase &B, ArrayRef<ComplexValue> Args,
                 ComplexValue Result, Type *Ty)
      : B(B), Args(Args), Result(Result), Ty(Ty) {}

  ComplexValue emit(const Expr &E);

private:
  ComplexValue emitNode(const Expr &E);
  ComplexValue emitBinary(const Expr &E);
  ComplexValue emitSelect(const Expr &E);
  ComplexValue emitCall(const Expr &E);
  ComplexValue multiply(ComplexValue X, ComplexValue Y);
  ComplexValue divide(ComplexValue X, ComplexValue Y);

  IRBuilderBase &B;
  ArrayRef<ComplexValue> Args;
  ComplexValue Result;
  Type *Ty;
  DenseMap<const ExprNode *, ComplexValue> Done;
};

bool isZero(const Value *V) {
  auto *C = dyn_cast<ConstantFP>(V);
  return C && C->isZero();
}

} // namespace

ComplexValue ComplexEmitter::emit(const Expr &E) {
  auto At = Done.find(E.get());
  if (At != Done.end())
    return At->second;
  ComplexValue V = emitNode(E);
  Done[E.get()] = V;
  return V;
}

ComplexValue ComplexEmitter::emitNode(const Expr &E) {
  switch (E->Kind) {
  case ExprKind::Arg:
    return E->Index < Args.size() ? Args[E->Index] : ComplexValue();
  case ExprKind::Result:
    return Result;
  case ExprKind::Constant:
    return {ConstantFP::get(Ty, E->Number), ConstantFP::get(Ty, 0)};
  case ExprKind::Neg: {
    ComplexValue X = emit(E->Operands[0]);
    return X ? ComplexValue{B.CreateFNeg(X.Re), B.CreateFNeg(X.Im)} : X;
  }
  case ExprKind::Add:
  case ExprKind::Sub:
  case ExprKind::Mul:
  case ExprKind::Div:
    return emitBinary(E);
  case ExprKind::Call:
    return emitCall(E);
  case ExprKind::Select:
    return emitSelect(E);
  case ExprKind::Less: // complex numbers have no order, and no integers
  case ExprKind::LessEqual:
  case ExprKind::Equal: // only below Select
  case ExprKind::IntToFloat:
    return {};
  }
  return {};
}

ComplexValue ComplexEmitter::emitBinary(const Expr &E) {
  ComplexValue X = emit(E->Operands[0]), Y = emit(E->Operands[1]);
  if (!X || !Y)
    return {};
  switch (E->Kind) {
  case ExprKind::Add:
    return {B.CreateFAdd(X.Re, Y.Re),
            isZero(X.Im) ? Y.Im : B.CreateFAdd(X.Im, Y.Im)};
  case ExprKind::Sub:
    return {B.CreateFSub(X.Re, Y.Re), isZero(Y.Im) ? X.Im
                                      : isZero(X.Im)
                                          ? B.CreateFNeg(Y.Im)
                                          : B.CreateFSub(X.Im, Y.Im)};
  case ExprKind::Mul:
    return multiply(X, Y);
  default:
    return divide(X, Y);
  }
}

ComplexValue ComplexEmitter::multiply(ComplexValue X, ComplexValue Y) {
  if (isZero(X.Im))
    return {B.CreateFMul(X.Re, Y.Re), B.CreateFMul(X.Re, Y.Im)};
  if (isZero(Y.Im))
    return multiply(Y, X);
  return {B.CreateFSub(B.CreateFMul(X.Re, Y.Re), B.CreateFMul(X.Im, Y.Im)),
          B.CreateFAdd(B.CreateFMul(X.Re, Y.Im), B.CreateFMul(X.Im, Y.Re))};
}

/// Smith's division: scaled by the larger part of the divisor, so that its
/// square is never formed. With y = a + ib, |a| >= |b|, t = b / a:
///   1 / y = (1 - it) / (a + bt),   else with t = a / b:  (t - i) / (at + b)
ComplexValue ComplexEmitter::divide(ComplexValue X, ComplexValue Y) {
  Value *AbsRe = B.CreateUnaryIntrinsic(Intrinsic::fabs, Y.Re);
  Value *AbsIm = B.CreateUnaryIntrinsic(Intrinsic::fabs, Y.Im);
  Value *ReIsLarger = B.CreateFCmpOGE(AbsRe, AbsIm);
  Value *Large = B.CreateSelect(ReIsLarger, Y.Re, Y.Im);
  Value *Small = B.CreateSelect(ReIsLarger, Y.Im, Y.Re);
  Value *Ratio = B.CreateFDiv(Small, Large);
  Value *Under = B.CreateFAdd(Large, B.CreateFMul(Small, Ratio));
  Value *One = ConstantFP::get(Ty, 1);
  Value *C = B.CreateSelect(ReIsLarger, One, Ratio); // conj(y) is like C - iD
  Value *D = B.CreateSelect(ReIsLarger, Ratio, One);
  ComplexValue Over = multiply(X, {C, B.CreateFNeg(D)});
  return {B.CreateFDiv(Over.Re, Under), B.CreateFDiv(Over.Im, Under)};
}

ComplexValue ComplexEmitter::emitSelect(const Expr &E) {
  const Expr &Condition = E->Operands[0];
  if (Condition->Kind != ExprKind::Equal)
    return {};
  ComplexValue L = emit(Condition->Operands[0]),
               R = emit(Condition->Operands[1]), Then = emit(E->Operands[1]),
               Else = emit(E->Operands[2]);
  if (!L || !R || !Then || !Else)
    return {};
  Value *Same =
      B.CreateAnd(B.CreateFCmpOEQ(L.Re, R.Re), B.CreateFCmpOEQ(L.Im, R.Im));
  return {B.CreateSelect(Same, Then.Re, Else.Re),
          B.CreateSelect(Same, Then.Im, Else.Im)};
}

ComplexValue ComplexEmitter::emitCall(const Expr &E) {
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee = declareComplex(M, E->Family, Ty);
  SmallVector<Value *, 4> Parts;
  for (const Expr &Operand : E->Operands) {
    ComplexValue V = emit(Operand);
    if (!V)
      return {};
    Parts.push_back(V.Re);
    Parts.push_back(V.Im);
  }
  if (!Callee || Callee.getFunctionType()->getNumParams() != Parts.size())
    return {};
  CallInst *Call = B.CreateCall(Callee, Parts);
  Call->setMemoryEffects(MemoryEffects::none());
  Call->addFnAttr(Attribute::NoUnwind);
  Call->addFnAttr(Attribute::WillReturn);
  return {B.CreateExtractValue(Call, 0), B.CreateExtractValue(Call, 1)};
}

ComplexValue adze::emitComplexExpr(IRBuilderBase &B, const Expr &E,
                                   ArrayRef<ComplexValue> Args,
                                   ComplexValue Result, Type *Ty) {
  return ComplexEmitter(B, Args, Result, Ty).emit(E);
}

bool adze::canEmitComplexExpr(Module &M, const Expr &E, Type *PartTy) {
  if (E->Kind == ExprKind::Call && !declareComplex(M, E->Family, PartTy))
    return false;
  return all_of(E->Operands, [&](const Expr &O) {
    return canEmitComplexExpr(M, O, PartTy);
  });
}
