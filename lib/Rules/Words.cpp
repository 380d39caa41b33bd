// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Words.h"
#include "FloatBits.h"
#include "adze/AddressRange.h"
#include "adze/RuntimeStop.h"
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

} // namespace adze
