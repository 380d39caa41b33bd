// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReplicaEmitter.h"
#include "ExpressionWriter.h"
#include "adze/AliasScopes.h"
#include "adze/RuleContext.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

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
