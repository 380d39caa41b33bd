// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReplicaEmitter.h"
#include "adze/AliasScopes.h"
#include "adze/RuleContext.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Computes expressions again, of leaves that it is given.
class ExpressionWriter : public SCEVVisitor<ExpressionWriter, Value *> {
public:
  ExpressionWriter(IRBuilder<> &B, function_ref<Value *(const Value *)> Leaf)
      : B(B), Leaf(Leaf) {}

  Value *write(const SCEV *S) {
    auto [It, New] = Written.try_emplace(S, nullptr);
    if (!New)
      return It->second;
    Value *V = visit(S);
    return Written[S] = V;
  }
  /// Flags of the original may hold where it stands alone.
  Value *write(const Value *V) {
    if (isa<Constant>(V))
      return const_cast<Value *>(V);
    if (!isCalculation(*V))
      return Leaf(V);
    auto [It, New] = Computed.try_emplace(V, nullptr);
    if (!New)
      return It->second;
    Instruction *Copy = cast<Instruction>(V)->clone();
    for (Use &Op : Copy->operands())
      if (!isa<Constant>(Op))
        Op.set(write(Op.get()));
    Copy->dropPoisonGeneratingAnnotations();
    Copy->dropUBImplyingAttrsAndMetadata();
    Copy->setDebugLoc(DebugLoc());
    B.Insert(Copy);
    return Computed[V] = Copy;
  }

  Value *visitConstant(const SCEVConstant *S) { return S->getValue(); }
  Value *visitVScale(const SCEVVScale *) { return nullptr; }
  Value *visitPtrToIntExpr(const SCEVPtrToIntExpr *S) {
    return B.CreatePtrToInt(write(S->getOperand()), S->getType());
  }
  Value *visitTruncateExpr(const SCEVTruncateExpr *S) {
    return B.CreateTrunc(write(S->getOperand()), S->getType());
  }
  Value *visitZeroExtendExpr(const SCEVZeroExtendExpr *S) {
    return B.CreateZExt(write(S->getOperand()), S->getType());
  }
  Value *visitSignExtendExpr(const SCEVSignExtendExpr *S) {
    return B.CreateSExt(write(S->getOperand()), S->getType());
  }
  Value *visitAddExpr(const SCEVAddExpr *S) {
    return fold(S, [&](Value *X, Value *Y) {
      if (X->getType()->isPointerTy())
        return B.CreatePtrAdd(X, Y);
      if (Y->getType()->isPointerTy())
        return B.CreatePtrAdd(Y, X);
      return B.CreateAdd(X, Y);
    });
  }
  Value *visitMulExpr(const SCEVMulExpr *S) {
    return fold(S, [&](Value *X, Value *Y) { return B.CreateMul(X, Y); });
  }
  Value *visitUDivExpr(const SCEVUDivExpr *S) {
    return B.CreateUDiv(write(S->getLHS()), write(S->getRHS()));
  }
  Value *visitAddRecExpr(const SCEVAddRecExpr *) { return nullptr; }
  Value *visitSMaxExpr(const SCEVSMaxExpr *S) {
    return extreme(S, Intrinsic::smax);
  }
  Value *visitUMaxExpr(const SCEVUMaxExpr *S) {
    return extreme(S, Intrinsic::umax);
  }
  Value *visitSMinExpr(const SCEVSMinExpr *S) {
    return extreme(S, Intrinsic::smin);
  }
  Value *visitUMinExpr(const SCEVUMinExpr *S) {
    return extreme(S, Intrinsic::umin);
  }
  Value *visitSequentialUMinExpr(const SCEVSequentialUMinExpr *) {
    return nullptr;
  }
  Value *visitUnknown(const SCEVUnknown *S) { return write(S->getValue()); }
  Value *visitCouldNotCompute(const SCEVCouldNotCompute *) { return nullptr; }

private:
  Value *fold(const SCEVNAryExpr *S,
              function_ref<Value *(Value *, Value *)> Join) {
    Value *Result = write(S->getOperand(0));
    for (const SCEV *Op : drop_begin(S->operands()))
      Result = Join(Result, write(Op));
    return Result;
  }
  Value *extreme(const SCEVNAryExpr *S, Intrinsic::ID ID) {
    return fold(S, [&](Value *X, Value *Y) {
      return B.CreateBinaryIntrinsic(ID, X, Y);
    });
  }

  IRBuilder<> &B;
  function_ref<Value *(const Value *)> Leaf;
  DenseMap<const SCEV *, Value *> Written;
  DenseMap<const Value *, Value *> Computed;
};

/// struct Part of Runtime/Teams.c.
StructType *partType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C), *Number = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, Ptr, Number, Number});
}
enum PartField { ShadowField, CopyField, BytesField, KindField };

FunctionCallee runtime(IRBuilder<> &B, StringRef Name, Type *Result,
                       ArrayRef<Type *> Params) {
  return B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Name, FunctionType::get(Result, Params, false));
}

} // namespace

ReplicaEmitter::ReplicaEmitter(const Plan &P, const Lanes &L) : P(P), L(L) {
  for (unsigned K = 0; K < P.Replicas.size(); ++K)
    for (const LoadInst *Load : P.Replicas[K].Loads)
      ReplicaOf[Load] = K;
}

void ReplicaEmitter::begin(IRBuilder<> &B,
                           function_ref<Value *(PlanValue)> Get) {
  beginParts(B, Get);
  for (unsigned K = 0; K < P.Replicas.size(); ++K)
    if (P.Replicas[K].ByPages)
      Pages[K] =
          B.CreateCall(runtime(B, "adze.team.pages.begin", B.getPtrTy(),
                               {B.getInt64Ty(), B.getInt1Ty(), B.getInt1Ty()}),
                       {B.getInt64(P.Replicas[K].MostBytes), Used,
                        B.getInt1(P.Replicas[K].IsClaimed)},
                       "pages");
}

Value *ReplicaEmitter::pages(const LoadInst &Load) const {
  return Pages.lookup(ReplicaOf.lookup(&Load));
}

bool ReplicaEmitter::mayClaim(const LoadInst &Load) const {
  return P.Replicas[ReplicaOf.lookup(&Load)].IsClaimed;
}

void ReplicaEmitter::beginParts(IRBuilder<> &B,
                                function_ref<Value *(PlanValue)> Get) {
  auto leaf = [&](const Value *V) { return Get({V, Part::Primal}); };
  ExpressionWriter Write(B, leaf);
  Type *PartTy = partType(B.getContext());
  struct Range {
    Value *Base = nullptr, *Offset = nullptr, *Begin = nullptr,
          *Bytes = nullptr;
  };
  std::vector<Range> Ranges;
  Fits = B.getTrue();
  Value *AreBounds = B.getTrue();
  for (const Replica &R : P.Replicas) {
    if (R.ByPages) {
      Ranges.push_back({});
      continue;
    }
    Value *Least = Write.write(R.Least);
    for (const Replica::Condition &C : R.Fits) {
      Value *V = Write.write(C.S);
      AreBounds = B.CreateAnd(
          AreBounds,
          B.CreateAnd(
              B.CreateICmpSGE(V, ConstantInt::get(V->getType(), C.Least)),
              B.CreateICmpSLE(V, ConstantInt::get(V->getType(), C.Greatest))));
    }
    for (const Value *Parts : R.Parts) {
      Value *V = Write.write(Parts);
      Fits = B.CreateAnd(Fits,
                         B.CreateICmpUGT(V, ConstantInt::get(V->getType(), 1)));
    }
    Value *Bytes =
        B.CreateTrunc(B.CreateSub(Write.write(R.End), Least), B.getInt64Ty());
    Fits = B.CreateAnd(Fits, B.CreateICmpULT(B.CreateSub(Bytes, B.getInt64(1)),
                                             B.getInt64(R.MostBytes)));
    const uint64_t Size = R.Float->getPrimitiveSizeInBits() / 8;
    Value *Offset = B.CreateTrunc(Least, B.getInt64Ty());
    Value *Base = Get({R.Base, Part::Shadow});
    Value *Begin = L.map(B, {Base}, [&](ArrayRef<Value *> D) -> Value * {
      Value *At = B.CreatePtrAdd(D[0], Offset);
      Value *Rest = B.CreateAnd(B.CreatePtrToInt(At, B.getInt64Ty()),
                                B.getInt64(Size - 1));
      Fits = B.CreateAnd(Fits, B.CreateIsNull(Rest));
      return At;
    });
    Ranges.push_back({Base, Offset, Begin, Bytes});
  }
  Fits = B.CreateAnd(AreBounds, Fits);
  // One after the other, the directions of each together.
  auto each = [&](function_ref<Value *(unsigned, Value *, Value *)> Body) {
    uint64_t At = 0;
    std::vector<Value *> Results;
    for (unsigned K = 0; K < Ranges.size(); ++K)
      Results.push_back(!Ranges[K].Begin
                            ? nullptr
                            : L.map(B, {Ranges[K].Begin},
                                    [&](ArrayRef<Value *> D) -> Value * {
                                      return Body(K, D[0],
                                                  B.CreateConstInBoundsGEP1_64(
                                                      PartTy, Parts, At++));
                                    }));
    Count = At;
    return Results;
  };
  Function &Out = *B.GetInsertBlock()->getParent();
  BasicBlock &Entry = Out.getEntryBlock();
  uint64_t Total = 0;
  for (const Range &Of : Ranges)
    if (Of.Begin)
      L.map(B, {Of.Begin}, [&](ArrayRef<Value *>) -> Value * {
        ++Total;
        return nullptr;
      });
  Parts = IRBuilder<>(&Entry, Entry.begin())
              .CreateAlloca(ArrayType::get(PartTy, Total), nullptr, "parts");
  each([&](unsigned K, Value *Begin, Value *Place) -> Value * {
    B.CreateStore(Begin, B.CreateStructGEP(PartTy, Place, ShadowField));
    B.CreateStore(Ranges[K].Bytes,
                  B.CreateStructGEP(PartTy, Place, BytesField));
    B.CreateStore(B.getInt64(P.Replicas[K].Float->isDoubleTy()),
                  B.CreateStructGEP(PartTy, Place, KindField));
    return nullptr;
  });
  Used = B.CreateCall(
      runtime(B, "adze.team.copies.begin", B.getInt1Ty(),
              {B.getPtrTy(), B.getInt64Ty(), B.getInt1Ty(), B.getInt1Ty()}),
      {Parts, B.getInt64(Count), Fits, AreBounds}, "copies");
  const std::vector<Value *> Origins = each([&](unsigned K, Value *,
                                                Value *Place) -> Value * {
    return B.CreatePtrAdd(
        B.CreateLoad(B.getPtrTy(), B.CreateStructGEP(PartTy, Place, CopyField)),
        B.CreateNeg(Ranges[K].Offset));
  });
  for (auto [Of, Origin] : zip(Ranges, Origins))
    Copies.push_back({Of.Base, Origin});
}

/// As far from \p To as \p Place is from \p From, by the same steps, so that
/// what is known of steps is seen. Null if \p Place is not found by steps.
static Value *sameStepsFrom(IRBuilder<> &B, Value *Place, const Value *From,
                            Value *To) {
  constexpr unsigned MaxSteps = 16;
  SmallVector<GetElementPtrInst *, 4> Steps;
  while (Place != From) {
    auto *Step = dyn_cast<GetElementPtrInst>(Place);
    if (!Step || Steps.size() == MaxSteps)
      return nullptr;
    Steps.push_back(Step);
    Place = Step->getPointerOperand();
  }
  for (GetElementPtrInst *Step : reverse(Steps)) {
    auto *Same = cast<GetElementPtrInst>(Step->clone());
    Same->setOperand(0, To);
    Same->setNoWrapFlags(GEPNoWrapFlags::none());
    To = B.Insert(Same);
  }
  return To;
}

Value *ReplicaEmitter::placeInCopy(IRBuilder<> &B, const LoadInst &Load,
                                   Value *Place) const {
  const Copied &Of = Copies[ReplicaOf.lookup(&Load)];
  return L.map(
      B, {Place, Of.Base, Of.Origin}, [&](ArrayRef<Value *> D) -> Value * {
        if (Value *Same = sameStepsFrom(B, D[0], D[1], D[2]))
          return Same;
        Type *Int = B.getInt64Ty();
        return B.CreatePtrAdd(D[2], B.CreateSub(B.CreatePtrToInt(D[0], Int),
                                                B.CreatePtrToInt(D[1], Int)));
      });
}

void ReplicaEmitter::tag(Instruction &I, const LoadInst &Load) const {
  tagCopy(I, ReplicaOf.lookup(&Load), P.Replicas.size());
}

void ReplicaEmitter::end(IRBuilder<> &B) {
  if (Count)
    B.CreateCall(runtime(B, "adze.team.copies.end", B.getVoidTy(),
                         {B.getPtrTy(), B.getInt64Ty(), B.getInt1Ty()}),
                 {Parts, B.getInt64(Count), Fits});
  for (unsigned K = 0; K < P.Replicas.size(); ++K)
    if (Value *Table = Pages.lookup(K))
      B.CreateCall(runtime(B, "adze.team.pages.end", B.getVoidTy(),
                           {B.getPtrTy(), B.getInt1Ty()}),
                   {Table, B.getInt1(P.Replicas[K].Float->isDoubleTy())});
}

} // namespace adze
