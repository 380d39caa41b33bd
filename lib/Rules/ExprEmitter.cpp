// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ExprEmitter.h"
#include "adze/KnownFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace adze;
using namespace llvm;

namespace {

/// Emits one expression. Recursion is as deep as the expression, which a row
/// of the tables bounds.
class Emitter {
public:
  Emitter(IRBuilderBase &B, ArrayRef<Value *> Args, Value *Result, Type *Ty)
      : B(B), Args(Args), Result(Result), Ty(Ty) {}

  /// The value of \p E at type Ty; a bool (vector) for comparisons; an integer
  /// for integer expressions.
  Value *emit(const Expr &E);

private:
  Value *emitNode(const Expr &E);
  Value *emitArithmetic(const Expr &E);
  Value *emitComparison(const Expr &E);
  Value *emitSelect(const Expr &E);
  Value *emitIntToFloat(const Expr &E);
  Value *emitCall(const Expr &E);
  /// Operands of a call, converted to what \p Signature says; empty on
  /// failure. \p IntTy becomes the type of its integer operand.
  SmallVector<Value *, 3> emitOperands(const Expr &E, StringRef Signature,
                                       Type *&IntTy);
  Value *emitElementwise(const Expr &E, ArrayRef<Value *> Operands,
                         Type *IntTy);
  Value *callPure(FunctionCallee Callee, ArrayRef<Value *> Operands);
  bool isInteger(const Expr &E) const;
  /// \p V as a vector if Ty is one.
  Value *spread(Value *V);
  Module &module() { return *B.GetInsertBlock()->getModule(); }

  IRBuilderBase &B;
  ArrayRef<Value *> Args;
  Value *Result;
  Type *Ty;
  DenseMap<const ExprNode *, Value *> Done;
};

} // namespace

bool Emitter::isInteger(const Expr &E) const {
  switch (E->Kind) {
  case ExprKind::Arg:
    return E->Index < Args.size() && Args[E->Index] &&
           Args[E->Index]->getType()->isIntOrIntVectorTy();
  case ExprKind::Add:
  case ExprKind::Sub:
  case ExprKind::Mul:
  case ExprKind::Neg:
    return any_of(E->Operands, [&](const Expr &O) { return isInteger(O); });
  default:
    return false;
  }
}

Value *Emitter::spread(Value *V) {
  auto *VecTy = dyn_cast<VectorType>(Ty);
  if (!V || !VecTy || V->getType()->isVectorTy())
    return V;
  return B.CreateVectorSplat(VecTy->getElementCount(), V);
}

Value *Emitter::emit(const Expr &E) {
  auto At = Done.find(E.get());
  if (At != Done.end())
    return At->second;
  Value *V = emitNode(E);
  Done[E.get()] = V;
  return V;
}

Value *Emitter::emitNode(const Expr &E) {
  switch (E->Kind) {
  case ExprKind::Arg:
    return E->Index < Args.size() ? Args[E->Index] : nullptr;
  case ExprKind::Result:
    return Result;
  case ExprKind::Constant:
    return ConstantFP::get(Ty, E->Number);
  case ExprKind::Add:
  case ExprKind::Sub:
  case ExprKind::Mul:
  case ExprKind::Div:
  case ExprKind::Neg:
    return emitArithmetic(E);
  case ExprKind::Call:
    return emitCall(E);
  case ExprKind::Select:
    return emitSelect(E);
  case ExprKind::Less:
  case ExprKind::LessEqual:
  case ExprKind::Equal:
    return emitComparison(E);
  case ExprKind::IntToFloat:
    return emitIntToFloat(E);
  }
  return nullptr;
}

Value *Emitter::emitArithmetic(const Expr &E) {
  const bool Integer = isInteger(E);
  SmallVector<Value *, 2> Ops(E->Operands.size(), nullptr);
  Type *IntTy = nullptr;
  for (unsigned I = 0; I != Ops.size(); ++I) {
    if (Integer && E->Operands[I]->Kind == ExprKind::Constant)
      continue; // its type comes from the other operand
    Ops[I] = emit(E->Operands[I]);
    if (!Ops[I])
      return nullptr;
    if (Integer)
      IntTy = Ops[I]->getType();
  }
  for (unsigned I = 0; I != Ops.size(); ++I)
    if (!Ops[I])
      Ops[I] = ConstantInt::getSigned(
          IntTy, static_cast<int64_t>(E->Operands[I]->Number));
  switch (E->Kind) {
  case ExprKind::Add:
    return Integer ? B.CreateAdd(Ops[0], Ops[1]) : B.CreateFAdd(Ops[0], Ops[1]);
  case ExprKind::Sub:
    return Integer ? B.CreateSub(Ops[0], Ops[1]) : B.CreateFSub(Ops[0], Ops[1]);
  case ExprKind::Mul:
    return Integer ? B.CreateMul(Ops[0], Ops[1]) : B.CreateFMul(Ops[0], Ops[1]);
  case ExprKind::Neg:
    return Integer ? B.CreateNeg(Ops[0]) : B.CreateFNeg(Ops[0]);
  default:
    return B.CreateFDiv(Ops[0], Ops[1]);
  }
}

Value *Emitter::emitComparison(const Expr &E) {
  Value *L = emit(E->Operands[0]), *R = emit(E->Operands[1]);
  if (!L || !R)
    return nullptr;
  switch (E->Kind) {
  case ExprKind::Less:
    return B.CreateFCmpOLT(L, R);
  case ExprKind::LessEqual:
    return B.CreateFCmpOLE(L, R);
  default:
    return B.CreateFCmpOEQ(L, R);
  }
}

Value *Emitter::emitSelect(const Expr &E) {
  Value *Condition = emit(E->Operands[0]), *Then = emit(E->Operands[1]),
        *Else = emit(E->Operands[2]);
  if (!Condition || !Then || !Else)
    return nullptr;
  return B.CreateSelect(Condition, Then, Else);
}

Value *Emitter::emitIntToFloat(const Expr &E) {
  Value *V = spread(emit(E->Operands[0]));
  if (!V || V->getType()->isFPOrFPVectorTy())
    return V;
  return B.CreateSIToFP(V, Ty);
}

SmallVector<Value *, 3>
Emitter::emitOperands(const Expr &E, StringRef Signature, Type *&IntTy) {
  SmallVector<Value *, 3> Operands;
  for (unsigned I = 0; I != E->Operands.size(); ++I) {
    const Expr &Operand = E->Operands[I];
    Value *V;
    if (Signature[I] == 'i' && Operand->Kind == ExprKind::Constant) {
      IntTy = B.getInt32Ty();
      V = ConstantInt::getSigned(IntTy, static_cast<int64_t>(Operand->Number));
    } else {
      V = emit(Operand);
      const bool WantInt = Signature[I] == 'i';
      if (!V || V->getType()->isIntOrIntVectorTy() != WantInt)
        return {};
      if (WantInt)
        IntTy = V->getType();
    }
    Operands.push_back(V);
  }
  return Operands;
}

/// The call reads and writes nothing: what a library function does to errno
/// is of no interest to a derivative, so that it can be moved and merged.
Value *Emitter::callPure(FunctionCallee Callee, ArrayRef<Value *> Operands) {
  SmallVector<Value *, 3> Fitting(Operands);
  for (unsigned I = 0; I != Fitting.size(); ++I)
    if (Callee.getFunctionType()->getParamType(I)->isVectorTy())
      Fitting[I] = spread(Fitting[I]);
  CallInst *Call = B.CreateCall(Callee, Fitting);
  Call->setMemoryEffects(MemoryEffects::none());
  Call->addFnAttr(Attribute::NoUnwind);
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

Value *Emitter::emitElementwise(const Expr &E, ArrayRef<Value *> Operands,
                                Type *IntTy) {
  auto *VecTy = dyn_cast<FixedVectorType>(Ty);
  if (!VecTy)
    return nullptr;
  FunctionCallee Callee =
      declareScalar(module(), E->Family, VecTy->getElementType(),
                    IntTy ? IntTy->getScalarType() : nullptr);
  if (!Callee)
    return nullptr;
  Value *Whole = PoisonValue::get(VecTy);
  for (unsigned Lane = 0; Lane != VecTy->getNumElements(); ++Lane) {
    SmallVector<Value *, 3> Elements;
    for (Value *V : Operands)
      Elements.push_back(
          V->getType()->isVectorTy() ? B.CreateExtractElement(V, Lane) : V);
    Whole = B.CreateInsertElement(Whole, callPure(Callee, Elements), Lane);
  }
  return Whole;
}

Value *Emitter::emitCall(const Expr &E) {
  const KnownFunction *Known = lookupFamily(E->Family);
  if (!Known || !Known->Signature)
    return nullptr;
  StringRef Signature = StringRef(Known->Signature).split(':').second;
  if (Signature.size() != E->Operands.size())
    return nullptr;
  Type *IntTy = nullptr;
  SmallVector<Value *, 3> Operands = emitOperands(E, Signature, IntTy);
  if (Operands.empty())
    return nullptr;
  FunctionCallee Callee = declareScalar(module(), E->Family, Ty, IntTy);
  if (!Callee)
    return emitElementwise(E, Operands, IntTy);
  // powi on vectors has one exponent for all elements.
  for (unsigned I = 0; I != Operands.size(); ++I)
    if (Operands[I]->getType()->isVectorTy() &&
        !Callee.getFunctionType()->getParamType(I)->isVectorTy())
      return emitElementwise(E, Operands, IntTy);
  return callPure(Callee, Operands);
}

static bool callsFunction(const Expr &E) {
  return E->Kind == ExprKind::Call || any_of(E->Operands, callsFunction);
}

bool adze::canEmitExpr(Module &M, const Expr &E, Type *Ty) {
  Type *Scalar = Ty->getScalarType();
  if (Scalar->isHalfTy() || Scalar->isBFloatTy())
    Ty = Ty->getWithNewType(Type::getFloatTy(Ty->getContext()));
  if (E->Kind == ExprKind::Call && !declareScalar(M, E->Family, Ty) &&
      (!isa<FixedVectorType>(Ty) ||
       !declareScalar(M, E->Family, Ty->getScalarType())))
    return false;
  return all_of(E->Operands,
                [&](const Expr &O) { return canEmitExpr(M, O, Ty); });
}

Value *adze::emitExpr(IRBuilderBase &B, const Expr &E, ArrayRef<Value *> Args,
                      Value *Result, Type *Ty) {
  Type *Scalar = Ty->getScalarType();
  const bool Narrow = Scalar->isHalfTy() || Scalar->isBFloatTy();
  if (!Narrow || !callsFunction(E))
    return Emitter(B, Args, Result, Ty).emit(E);

  Type *Wide = Ty->getWithNewType(B.getFloatTy());
  auto Widen = [&](Value *V) {
    return V && V->getType() == Ty ? B.CreateFPExt(V, Wide) : V;
  };
  SmallVector<Value *, 3> WideArgs;
  for (Value *Arg : Args)
    WideArgs.push_back(Widen(Arg));
  Value *V = Emitter(B, WideArgs, Widen(Result), Wide).emit(E);
  return V ? B.CreateFPTrunc(V, Ty) : nullptr;
}
