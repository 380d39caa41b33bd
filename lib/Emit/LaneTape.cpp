// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneTape.h"
#include "adze/AliasScopes.h"
#include "adze/DeviceTarget.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr uint64_t WordBytes = 8;

const Module &moduleOf(const IRBuilder<> &B) {
  return *B.GetInsertBlock()->getModule();
}

/// From a byte of the lane's own memory, at the begin of a word, to that in the
/// warp's.
uint64_t rowsTo(uint64_t Byte, const Module &M) {
  return Byte / WordBytes * WordBytes * lanesOf(M) + Byte % WordBytes;
}

/// \p Ty as integers of one word each.
FixedVectorType *wordsOf(Type *Ty, const DataLayout &DL) {
  const uint64_t Words = divideCeil(DL.getTypeStoreSize(Ty), WordBytes);
  return FixedVectorType::get(Type::getInt64Ty(Ty->getContext()), Words);
}

} // namespace

bool isAmongLanes(const Slot &S, const Module &M) {
  return S.Outermost && isDevice(M);
}

uint64_t strideOf(const Slot &S, const Module &M) {
  const uint64_t Bytes =
      S.Record ? S.Record : elementBytes(S, M.getDataLayout());
  return isAmongLanes(S, M) ? alignTo(Bytes, WordBytes) : Bytes;
}

Value *laneAddress(IRBuilder<> &B, const Slot &S, Value *Base, Value *Index) {
  const Module &M = moduleOf(B);
  Type *Byte = B.getInt8Ty();
  // The base of an array that grows need not lie in its memory.
  Value *Element = B.CreateGEP(
      ArrayType::get(Byte, strideOf(S, M) * lanesOf(M)), Base, Index);
  return S.Offset ? B.CreateConstGEP1_64(Byte, Element, rowsTo(S.Offset, M))
                  : Element;
}

bool hasSeveralRows(const Slot &S, const Module &M) {
  return isAmongLanes(S, M) && elementBytes(S, M.getDataLayout()) > WordBytes;
}

void storeRows(IRBuilder<> &B, Value *V, Value *Address) {
  const Module &M = moduleOf(B);
  FixedVectorType *Words = wordsOf(V->getType(), M.getDataLayout());
  const unsigned Bits = M.getDataLayout().getTypeSizeInBits(V->getType());
  Value *All = B.CreateZExt(B.CreateBitCast(V, B.getIntNTy(Bits)),
                            B.getIntNTy(64 * Words->getNumElements()));
  All = B.CreateBitCast(All, Words);
  for (unsigned K = 0; K < Words->getNumElements(); ++K)
    tagAccess(
        *B.CreateAlignedStore(B.CreateExtractElement(All, K),
                              B.CreateConstGEP1_64(B.getInt8Ty(), Address,
                                                   rowsTo(K * WordBytes, M)),
                              Align(WordBytes)),
        MemoryKind::Tape);
}

Value *loadRows(IRBuilder<> &B, Type *Ty, Value *Address) {
  const Module &M = moduleOf(B);
  FixedVectorType *Words = wordsOf(Ty, M.getDataLayout());
  Value *All = PoisonValue::get(Words);
  for (unsigned K = 0; K < Words->getNumElements(); ++K) {
    LoadInst *Word = B.CreateAlignedLoad(
        B.getInt64Ty(),
        B.CreateConstGEP1_64(B.getInt8Ty(), Address, rowsTo(K * WordBytes, M)),
        Align(WordBytes));
    tagAccess(*Word, MemoryKind::Tape);
    All = B.CreateInsertElement(All, Word, K);
  }
  const unsigned Bits = M.getDataLayout().getTypeSizeInBits(Ty);
  All = B.CreateBitCast(All, B.getIntNTy(64 * Words->getNumElements()));
  return B.CreateBitCast(B.CreateTrunc(All, B.getIntNTy(Bits)), Ty);
}

} // namespace adze
