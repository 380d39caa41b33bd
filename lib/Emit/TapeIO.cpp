// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TapeIO.h"
#include "adze/Emit.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *GrowName = "adze.tape.grow";
constexpr const char *AllocName = "adze.tape.alloc";
constexpr uint64_t FirstCapacity = 16;
/// What malloc guarantees.
constexpr uint64_t HeapAlign = 16;

/// The alignment that the slot's field must have beyond its type's.
MaybeAlign storageAlign(const Slot &S) {
  if (!S.IsStorage)
    return MaybeAlign();
  return cast<AllocaInst>(S.Holds.V)->getAlign();
}

/// Where each slot's field stands in the tape struct. Over-aligned storage is
/// preceded by an empty array of vectors of that alignment.
struct StructFields {
  SmallVector<Type *, 16> Types;
  DenseMap<unsigned, unsigned> FieldOf;
};

StructFields structFields(const Plan &P, const DataLayout &DL,
                          LLVMContext &C) {
  StructFields Result;
  for (unsigned I = 0; I < P.Slots.size(); ++I) {
    const Slot &S = P.Slots[I];
    if (S.Base != NoSlot)
      continue;
    Type *Ty = fieldType(S);
    if (MaybeAlign Wanted = storageAlign(S);
        Wanted && *Wanted > DL.getABITypeAlign(Ty))
      Result.Types.push_back(ArrayType::get(
          FixedVectorType::get(Type::getInt8Ty(C), Wanted->value()), 0));
    Result.FieldOf[I] = Result.Types.size();
    Result.Types.push_back(Ty);
  }
  return Result;
}

/// Ends the program with a message when \p Block is null.
void emitNullCheck(IRBuilder<> &B, Value *Block) {
  Function *F = B.GetInsertBlock()->getParent();
  Module &M = *F->getParent();
  LLVMContext &C = M.getContext();
  BasicBlock *Failed = BasicBlock::Create(C, "failed", F);
  BasicBlock *Fine = BasicBlock::Create(C, "fine", F);
  B.CreateCondBr(B.CreateIsNull(Block), Failed, Fine);
  B.SetInsertPoint(Failed);
  Value *Text = B.CreateGlobalString(
      "adze: out of memory for the tape of a derivative", "adze.message");
  B.CreateCall(M.getOrInsertFunction("puts", B.getInt32Ty(), B.getPtrTy()),
               {Text});
  FunctionCallee Abort = M.getOrInsertFunction("abort", B.getVoidTy());
  if (auto *AbortF = dyn_cast<Function>(Abort.getCallee()))
    AbortF->setDoesNotReturn();
  B.CreateCall(Abort);
  B.CreateUnreachable();
  B.SetInsertPoint(Fine);
}

} // namespace

Type *fieldType(const Slot &S) {
  if (S.Size != Sizing::Static)
    return S.Element;
  uint64_t Count = 1;
  for (uint64_t Extent : S.Extents)
    Count *= Extent;
  return ArrayType::get(S.Element, Count);
}

uint64_t elementBytes(const Slot &S, const DataLayout &DL) {
  return DL.getTypeAllocSize(S.Element);
}

Tape::~Tape() = default;

Value *FrameTape::field(IRBuilderBase &, unsigned Index) {
  Value *&Variable = Variables[Index];
  if (!Variable) {
    const Slot &S = P.Slots[Index];
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> B(&Entry, Entry.begin());
    AllocaInst *A = B.CreateAlloca(fieldType(S), nullptr, "tape");
    if (MaybeAlign Wanted = storageAlign(S))
      A->setAlignment(std::max(*Wanted, A->getAlign()));
    Variable = A;
  }
  return Variable;
}

Value *StructTape::field(IRBuilderBase &B, unsigned Index) {
  const Module &M = *B.GetInsertBlock()->getModule();
  StructFields Fields = structFields(P, M.getDataLayout(), M.getContext());
  return B.CreateStructGEP(Ty, Base, Fields.FieldOf.lookup(Index), "tape");
}

void layOutTape(const Plan &P, Derivative &D) {
  if (!D.TapeType)
    return;
  const Module &M = *D.Augmented->getParent();
  D.TapeType->setBody(
      structFields(P, M.getDataLayout(), M.getContext()).Types);
}

Function *tapeAllocFunction(Module &M) {
  if (Function *F = M.getFunction(AllocName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Function *F = Function::Create(FunctionType::get(Ptr, {I64}, false),
                                 GlobalValue::InternalLinkage, AllocName, M);
  F->addFnAttr(Attribute::NoUnwind);
  F->addRetAttr(Attribute::NoAlias);
  F->addRetAttr(Attribute::NonNull);
  F->addRetAttr(Attribute::getWithAlignment(C, Align(HeapAlign)));
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  // malloc(0) may give null without having failed.
  Value *Bytes = B.CreateBinaryIntrinsic(Intrinsic::umax, F->getArg(0),
                                         B.getInt64(1));
  Value *Block =
      B.CreateCall(M.getOrInsertFunction("malloc", Ptr, I64), {Bytes});
  emitNullCheck(B, Block);
  B.CreateRet(Block);
  return F;
}

Function *growFunction(Module &M) {
  if (Function *F = M.getFunction(GrowName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Function *F = Function::Create(FunctionType::get(Ptr, {Ptr, I64, I64}, false),
                                 GlobalValue::InternalLinkage, GrowName, M);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::InlineHint);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Grow = BasicBlock::Create(C, "grow", F);
  BasicBlock *Keep = BasicBlock::Create(C, "keep", F);
  Value *Base = F->getArg(0), *Index = F->getArg(1), *Bytes = F->getArg(2);
  IRBuilder<> B(Entry);
  Value *Power = B.CreateICmpEQ(
      B.CreateAnd(Index, B.CreateSub(Index, B.getInt64(1))), B.getInt64(0));
  Value *Full = B.CreateOr(
      B.CreateIsNull(Base),
      B.CreateAnd(Power, B.CreateICmpUGE(Index, B.getInt64(FirstCapacity))));
  B.CreateCondBr(Full, Grow, Keep);
  B.SetInsertPoint(Keep);
  B.CreateRet(Base);
  B.SetInsertPoint(Grow);
  Value *Capacity =
      B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateShl(Index, 1),
                              B.getInt64(FirstCapacity));
  Value *New = B.CreateCall(M.getOrInsertFunction("realloc", Ptr, Ptr, I64),
                            {Base, B.CreateMul(Capacity, Bytes)});
  emitNullCheck(B, New);
  B.CreateRet(New);
  return F;
}

} // namespace adze
