// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for expressions of ScalarEvolution where their leaves are other values
// than in the function that they are of.
#ifndef ADZE_EMIT_EXPRESSIONWRITER_H
#define ADZE_EMIT_EXPRESSIONWRITER_H

#include "adze/Replicas.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace adze {

/// Computes expressions again, of leaves that it is given.
class ExpressionWriter
    : public llvm::SCEVVisitor<ExpressionWriter, llvm::Value *> {
public:
  ExpressionWriter(llvm::IRBuilder<> &B,
                   llvm::function_ref<llvm::Value *(const llvm::Value *)> Leaf)
      : B(B), Leaf(Leaf) {}

  llvm::Value *write(const llvm::SCEV *S) {
    auto [It, New] = Written.try_emplace(S, nullptr);
    if (!New)
      return It->second;
    llvm::Value *V = visit(S);
    return Written[S] = V;
  }
  /// Flags of the original may hold where it stands alone.
  llvm::Value *write(const llvm::Value *V) {
    if (llvm::isa<llvm::Constant>(V))
      return const_cast<llvm::Value *>(V);
    if (!isCalculation(*V))
      return Leaf(V);
    auto [It, New] = Computed.try_emplace(V, nullptr);
    if (!New)
      return It->second;
    llvm::Instruction *Copy = llvm::cast<llvm::Instruction>(V)->clone();
    for (llvm::Use &Op : Copy->operands())
      if (!llvm::isa<llvm::Constant>(Op))
        Op.set(write(Op.get()));
    Copy->dropPoisonGeneratingAnnotations();
    Copy->dropUBImplyingAttrsAndMetadata();
    Copy->setDebugLoc(llvm::DebugLoc());
    B.Insert(Copy);
    return Computed[V] = Copy;
  }

  llvm::Value *visitConstant(const llvm::SCEVConstant *S) {
    return S->getValue();
  }
  llvm::Value *visitVScale(const llvm::SCEVVScale *) { return nullptr; }
  llvm::Value *visitPtrToIntExpr(const llvm::SCEVPtrToIntExpr *S) {
    return B.CreatePtrToInt(write(S->getOperand()), S->getType());
  }
  llvm::Value *visitTruncateExpr(const llvm::SCEVTruncateExpr *S) {
    return B.CreateTrunc(write(S->getOperand()), S->getType());
  }
  llvm::Value *visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr *S) {
    return B.CreateZExt(write(S->getOperand()), S->getType());
  }
  llvm::Value *visitSignExtendExpr(const llvm::SCEVSignExtendExpr *S) {
    return B.CreateSExt(write(S->getOperand()), S->getType());
  }
  llvm::Value *visitAddExpr(const llvm::SCEVAddExpr *S) {
    return fold(S, [&](llvm::Value *X, llvm::Value *Y) {
      if (X->getType()->isPointerTy())
        return B.CreatePtrAdd(X, Y);
      if (Y->getType()->isPointerTy())
        return B.CreatePtrAdd(Y, X);
      return B.CreateAdd(X, Y);
    });
  }
  llvm::Value *visitMulExpr(const llvm::SCEVMulExpr *S) {
    return fold(
        S, [&](llvm::Value *X, llvm::Value *Y) { return B.CreateMul(X, Y); });
  }
  llvm::Value *visitUDivExpr(const llvm::SCEVUDivExpr *S) {
    return B.CreateUDiv(write(S->getLHS()), write(S->getRHS()));
  }
  llvm::Value *visitAddRecExpr(const llvm::SCEVAddRecExpr *) { return nullptr; }
  llvm::Value *visitSMaxExpr(const llvm::SCEVSMaxExpr *S) {
    return extreme(S, llvm::Intrinsic::smax);
  }
  llvm::Value *visitUMaxExpr(const llvm::SCEVUMaxExpr *S) {
    return extreme(S, llvm::Intrinsic::umax);
  }
  llvm::Value *visitSMinExpr(const llvm::SCEVSMinExpr *S) {
    return extreme(S, llvm::Intrinsic::smin);
  }
  llvm::Value *visitUMinExpr(const llvm::SCEVUMinExpr *S) {
    return extreme(S, llvm::Intrinsic::umin);
  }
  llvm::Value *visitSequentialUMinExpr(const llvm::SCEVSequentialUMinExpr *) {
    return nullptr;
  }
  llvm::Value *visitUnknown(const llvm::SCEVUnknown *S) {
    return write(S->getValue());
  }
  llvm::Value *visitCouldNotCompute(const llvm::SCEVCouldNotCompute *) {
    return nullptr;
  }

private:
  llvm::Value *
  fold(const llvm::SCEVNAryExpr *S,
       llvm::function_ref<llvm::Value *(llvm::Value *, llvm::Value *)> Join) {
    llvm::Value *Result = write(S->getOperand(0));
    for (const llvm::SCEV *Op : llvm::drop_begin(S->operands()))
      Result = Join(Result, write(Op));
    return Result;
  }
  llvm::Value *extreme(const llvm::SCEVNAryExpr *S, llvm::Intrinsic::ID ID) {
    return fold(S, [&](llvm::Value *X, llvm::Value *Y) {
      return B.CreateBinaryIntrinsic(ID, X, Y);
    });
  }

  llvm::IRBuilder<> &B;
  llvm::function_ref<llvm::Value *(const llvm::Value *)> Leaf;
  llvm::DenseMap<const llvm::SCEV *, llvm::Value *> Written;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Computed;
};

} // namespace adze
#endif
