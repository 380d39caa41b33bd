// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SlotAddress.h"
#include "LaneTape.h"
#include "adze/AliasScopes.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

SlotIndices::~SlotIndices() = default;

Value *slotAddress(IRBuilder<> &B, const Plan &P, unsigned Index, Tape &T,
                   SlotIndices &Indices) {
  const Slot &S = P.Slots[Index];
  if (S.Size == Sizing::Scalar)
    return T.field(B, Index);
  Value *Linear = nullptr;
  if (S.Size == Sizing::ByVisit)
    Linear = Indices.visit(B, S.Base);
  for (unsigned K = 0; K < S.Dims.size() && S.Size != Sizing::ByVisit; ++K) {
    Value *Counter = Indices.counter(B, S.Dims[K]);
    if (!Linear) {
      Linear = Counter;
      continue;
    }
    Value *Extent = S.Size == Sizing::Static ? B.getInt64(S.Extents[K])
                                             : Indices.extent(B, S.Dims[K]);
    Linear = B.CreateAdd(
        B.CreateMul(Linear, Extent, "", /*HasNUW=*/true, /*HasNSW=*/true),
        Counter, "", /*HasNUW=*/true, /*HasNSW=*/true);
  }
  if (S.Size == Sizing::Static)
    return B.CreateInBoundsGEP(fieldType(S), T.field(B, Index),
                               {B.getInt64(0), Linear});
  Value *Base = Indices.base(B, S.Base);
  if (isAmongLanes(S, *B.GetInsertBlock()->getModule()))
    return laneAddress(B, S, Base, Linear);
  if (!S.Record)
    return B.CreateInBoundsGEP(S.Element, Base, Linear);
  // The base of an array that grows need not lie in its memory.
  Type *Byte = B.getInt8Ty();
  Value *Record = B.CreateGEP(ArrayType::get(Byte, S.Record), Base, Linear);
  return S.Offset ? B.CreateConstGEP1_64(Byte, Record, S.Offset) : Record;
}

/// Tape memory is aligned as the heap is, whatever the element would like.
static Align elementAlign(const IRBuilder<> &B, const Slot &S) {
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  return std::min(DL.getABITypeAlign(S.Element), Align(TapeAlign));
}

void storeElement(IRBuilder<> &B, const Slot &S, Value *V, Value *Address) {
  if (V->getType() != S.Element && V->getType()->isIntOrIntVectorTy())
    V = B.CreateZExt(V, S.Element);
  if (hasSeveralRows(S, *B.GetInsertBlock()->getModule()))
    return storeRows(B, V, Address);
  // Volatile, for that is what keeps SROA from making it a register.
  tagAccess(*B.CreateAlignedStore(V, Address, elementAlign(B, S), S.InMemory),
            MemoryKind::Tape);
}

Value *loadElement(IRBuilder<> &B, const Slot &S, Type *Ty, Value *Address) {
  Value *V = nullptr;
  if (hasSeveralRows(S, *B.GetInsertBlock()->getModule())) {
    V = loadRows(B, S.Element, Address);
  } else {
    LoadInst *Load =
        B.CreateAlignedLoad(S.Element, Address, elementAlign(B, S), S.InMemory);
    tagAccess(*Load, MemoryKind::Tape);
    V = Load;
  }
  if (Ty != S.Element && Ty->isIntOrIntVectorTy())
    V = B.CreateTrunc(V, Ty);
  return V;
}

} // namespace adze
