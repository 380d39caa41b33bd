// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Words.h"
#include "FloatBits.h"
#include "adze/AddressRange.h"
#include "adze/OwnFunction.h"
#include "adze/RuntimeStop.h"
#include "adze/WordMoves.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// i1: \p Test, of some word.
Value *anyOf(IRBuilderBase &B, Value *Test) {
  return Test->getType()->isVectorTy() ? B.CreateOrReduce(Test) : Test;
}

Constant *number(const Value *Like, uint64_t N) {
  return ConstantInt::get(Like->getType(), N);
}

} // namespace

Value *looksLikeAddress(IRBuilderBase &B, Value *Word) {
  return B.CreateICmpULT(B.CreateSub(Word, number(Word, LowestAddress)),
                         number(Word, EndOfAddresses - LowestAddress));
}

Value *looksLikeFloat(IRBuilderBase &B, Value *Word) {
  constexpr uint64_t Most = 0x7ff;
  Value *Exponent =
      B.CreateAnd(B.CreateLShr(Word, number(Word, 52)), number(Word, Most));
  return anyOf(B, B.CreateICmpULT(B.CreateSub(Exponent, number(Word, 1)),
                                  number(Word, Most - 1)));
}

Value *isAddress(IRBuilderBase &B, Value *Word, bool Typed) {
  Value *Less = B.CreateSub(Word, number(Word, 1));
  if (Typed)
    return B.CreateICmpULT(Less, number(Word, EndOfAddresses - 1));
  emitRuntimeStopIf(
      B, anyOf(B, B.CreateICmpULT(Less, number(Word, LowestAddress - 1))),
      "bytes of unknown type are copied that may be floats or pointers: their "
      "shadow is not zero");
  return looksLikeAddress(B, Word);
}

Value *movedWord(IRBuilderBase &B, Value *From, Value *There, bool Typed) {
  Value *Pointer = isAddress(B, From, Typed);
  Value *Stale = isAddress(B, There, Typed);
  return B.CreateSelect(Pointer, From,
                        B.CreateSelect(Stale, number(There, 0), There));
}

Value *takenFromWord(IRBuilderBase &B, Value *Word, bool Typed, Value *&Left) {
  Value *Pointer = isAddress(B, Word, Typed), *Zero = number(Word, 0);
  Left = B.CreateSelect(Pointer, Word, Zero);
  return B.CreateSelect(Pointer, Zero, Word);
}

Value *addedToWord(IRBuilderBase &B, Value *Word, Value *Adjoint, bool Typed,
                   bool Doubles) {
  Value *Zero = number(Word, 0);
  Value *Old = B.CreateSelect(isAddress(B, Word, Typed), Zero, Word);
  return B.CreateSelect(B.CreateICmpEQ(Adjoint, Zero), Word,
                        addWords(B, Old, Adjoint, Doubles));
}

/// void f(ptr place, integer term): memory there becomes what \p Sum makes of
/// it and the term, in one step, unless the term is zero.
static Function *exchangeFunction(
    Module &M, const Twine &Name, IntegerType *Ty,
    function_ref<Value *(IRBuilderBase &B, Value *Old, Value *Term)> Sum) {
  if (Function *F = M.getFunction(Name.str()))
    return F;
  LLVMContext &C = M.getContext();
  Function *F =
      createOwn(FunctionType::get(Type::getVoidTy(C),
                                  {PointerType::getUnqual(C), Ty}, false),
                GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  Value *Place = F->getArg(0), *Term = F->getArg(1);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Look = BasicBlock::Create(C, "look", F);
  BasicBlock *Try = BasicBlock::Create(C, "try", F);
  BasicBlock *End = BasicBlock::Create(C, "end", F);
  const Align Aligned(Ty->getBitWidth() / 8);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateICmpEQ(Term, ConstantInt::get(Ty, 0)), End, Look);
  B.SetInsertPoint(Look);
  LoadInst *First = B.CreateAlignedLoad(Ty, Place, Aligned);
  First->setAtomic(AtomicOrdering::Monotonic);
  B.CreateBr(Try);
  B.SetInsertPoint(Try);
  PHINode *Old = B.CreatePHI(Ty, 2);
  Old->addIncoming(First, Look);
  Value *New = Sum(B, Old, Term);
  Value *Seen =
      B.CreateAtomicCmpXchg(Place, Old, New, Aligned, AtomicOrdering::Monotonic,
                            AtomicOrdering::Monotonic);
  Old->addIncoming(B.CreateExtractValue(Seen, 0), B.GetInsertBlock());
  B.CreateCondBr(B.CreateExtractValue(Seen, 1), End, Try);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return F;
}

Function *sharedWordSum(Module &M, bool Typed, bool Doubles) {
  return exchangeFunction(M,
                          Twine("adze.word.addshared") +
                              (Typed ? ".typed" : "") +
                              (Doubles ? ".doubles" : ""),
                          Type::getInt64Ty(M.getContext()),
                          [&](IRBuilderBase &B, Value *Old, Value *Term) {
                            return addedToWord(B, Old, Term, Typed, Doubles);
                          });
}

Function *sharedByteSum(Module &M) {
  return exchangeFunction(M, "adze.byte.addshared",
                          Type::getInt8Ty(M.getContext()),
                          [](IRBuilderBase &B, Value *Old, Value *Term) {
                            return addBits(B, Old, Term);
                          });
}

Value *addWords(IRBuilderBase &B, Value *A, Value *C, bool Doubles) {
  if (!Doubles)
    return addBits(B, A, C);
  Type *Ty = B.getDoubleTy();
  if (auto *Vector = dyn_cast<VectorType>(A->getType()))
    Ty = VectorType::get(Ty, Vector->getElementCount());
  Value *Sum = B.CreateFAdd(B.CreateBitCast(A, Ty), B.CreateBitCast(C, Ty));
  return B.CreateBitCast(Sum, A->getType());
}

static Type *wordsLike(Type *Ty, const DataLayout &DL) {
  Type *Word = Type::getInt64Ty(Ty->getContext());
  uint64_t Count = DL.getTypeStoreSize(Ty) / WordSize;
  return Count == 1 && !Ty->isVectorTy() ? Word
                                         : FixedVectorType::get(Word, Count);
}

Value *asWords(IRBuilderBase &B, Value *V) {
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  Type *Words = wordsLike(V->getType(), DL);
  return V->getType()->isPtrOrPtrVectorTy() ? B.CreatePtrToInt(V, Words)
                                            : B.CreateBitCast(V, Words);
}

Value *fromWords(IRBuilderBase &B, Value *Words, Type *Ty) {
  return Ty->isPtrOrPtrVectorTy() ? B.CreateIntToPtr(Words, Ty)
                                  : B.CreateBitCast(Words, Ty);
}

namespace {

enum class WordOp { Move, Take, Add, Sum };

const char *nameOf(WordOp Op) {
  switch (Op) {
  case WordOp::Move:
    return "adze.word.move";
  case WordOp::Take:
    return "adze.word.take";
  case WordOp::Add:
    return "adze.word.add";
  case WordOp::Sum:
    break;
  }
  return "adze.word.sum";
}

/// void f(ptr to, ptr from, i64), of one \p Words:
///
///   move   *to = *from, if that is an address
///   take   *from = *to, *to = 0, if that is none; else *from = 0
///   add    *from += *to, *to = 0, which is none
///   sum    the same, and *from is none either
Function *wordFunction(Module &M, WordOp Op, Type *Words, WordKind Kind) {
  std::string Name = nameOf(Op);
  if (auto *Several = dyn_cast<FixedVectorType>(Words))
    Name += "." + std::to_string(Several->getNumElements());
  Name += Kind.Typed ? ".typed" : "";
  Name += Kind.Doubles ? ".doubles" : "";
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      createOwn(FunctionType::get(Type::getVoidTy(C),
                                  {Ptr, Ptr, Type::getInt64Ty(C)}, false),
                GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  setWordMove(*F, Op == WordOp::Move ? WordMove::Copies : WordMove::Adds);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Value *To = F->getArg(0), *From = F->getArg(1);
  Value *There = B.CreateAlignedLoad(Words, To, Align(1));
  Value *Here =
      Op == WordOp::Take ? nullptr : B.CreateAlignedLoad(Words, From, Align(1));
  Value *Left = number(There, 0);
  if (Op == WordOp::Move)
    Left = movedWord(B, Here, There, Kind.Typed);
  else if (Op == WordOp::Take)
    Here = takenFromWord(B, There, Kind.Typed, Left);
  else if (Op == WordOp::Add)
    Here = addedToWord(B, Here, There, Kind.Typed, Kind.Doubles);
  else
    Here = addWords(B, Here, There, Kind.Doubles);
  B.CreateAlignedStore(Left, To, Align(1));
  if (Op != WordOp::Move)
    B.CreateAlignedStore(Here, From, Align(1));
  B.CreateRetVoid();
  return F;
}

/// A variable of the function with \p V in it.
Value *spilled(IRBuilderBase &B, Value *V) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  const DataLayout &DL = Entry.getDataLayout();
  IRBuilder<> First(&Entry, Entry.begin());
  AllocaInst *Place = First.CreateAlloca(V->getType(), DL.getAllocaAddrSpace(),
                                         nullptr, "word");
  Place->setAlignment(std::max(Place->getAlign(), Align(WordSize)));
  B.CreateStore(V, Place);
  return Place;
}

Value *reload(IRBuilderBase &B, Value *Place) {
  return B.CreateLoad(cast<AllocaInst>(Place)->getAllocatedType(), Place);
}

void callWord(IRBuilderBase &B, WordOp Op, Value *To, Value *From, Type *Ty,
              WordKind Kind) {
  Module &M = *B.GetInsertBlock()->getModule();
  const DataLayout &DL = M.getDataLayout();
  Function *F = wordFunction(M, Op, wordsLike(Ty, DL), Kind);
  auto general = [&](Value *Place) {
    return B.CreatePointerBitCastOrAddrSpaceCast(Place, B.getPtrTy());
  };
  B.CreateCall(F, {general(To), general(From),
                   B.getInt64(DL.getTypeStoreSize(Ty).getFixedValue())});
}

} // namespace

void moveWordTo(IRBuilderBase &B, Value *Place, Value *Word, WordKind Kind) {
  callWord(B, WordOp::Move, Place, spilled(B, Word), Word->getType(), Kind);
}

Value *takeWordFrom(IRBuilderBase &B, Value *Place, Type *Ty, WordKind Kind) {
  Value *Taken = spilled(B, Constant::getNullValue(Ty));
  callWord(B, WordOp::Take, Place, Taken, Ty, Kind);
  return reload(B, Taken);
}

void addWordTo(IRBuilderBase &B, Value *Place, Value *Adjoint, WordKind Kind) {
  callWord(B, WordOp::Add, spilled(B, Adjoint), Place, Adjoint->getType(),
           Kind);
}

Value *sumOfWords(IRBuilderBase &B, Value *A, Value *C, bool Doubles) {
  Value *Sum = spilled(B, A);
  callWord(B, WordOp::Sum, spilled(B, C), Sum, A->getType(),
           {/*Typed=*/false, Doubles});
  return reload(B, Sum);
}

} // namespace adze
