// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TapeWriter.h"
#include "LaneTape.h"
#include "adze/TapeMemory.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

TapeWriter::TapeWriter(const Plan &P, Tape &T, IRBuilder<> &B,
                       const LoopRecord *Rerun,
                       std::function<Value *(const Value *)> Primal)
    : P(P), T(T), B(B), Rerun(Rerun), Primal(std::move(Primal)) {
  DenseSet<unsigned> Seen;
  for (unsigned I = 0; I < P.Slots.size(); ++I) {
    const Slot &S = P.Slots[I];
    if (S.Rerun != Rerun || S.Base == NoSlot || !Seen.insert(S.Base).second)
      continue;
    if (S.Size == Sizing::ByVisit) {
      addPath(I);
      continue;
    }
    const Loop *Outermost = S.Outermost->L;
    Made[Outermost->getLoopPreheader()].push_back(I);
    if (S.Size == Sizing::Growing)
      Grown[Outermost->getHeader()].push_back(I);
  }
}

Value *TapeWriter::counter(IRBuilder<> &, const LoopRecord *L) {
  return Primal(L->Counter);
}

Value *TapeWriter::extent(IRBuilder<> &B, const LoopRecord *L) {
  return B.CreateAdd(Primal(lastIterationOf(L)), B.getInt64(1));
}

Value *TapeWriter::base(IRBuilder<> &, unsigned Index) {
  return Bases.lookup(Index);
}

Value *TapeWriter::visit(IRBuilder<> &, unsigned Index) {
  return Visit.lookup(Index);
}

Value *TapeWriter::address(unsigned Index) {
  return slotAddress(B, P, Index, T, *this);
}

/// The bytes of a whole array. Where they are more than 64 bits hold, the
/// largest number: there is no such memory, and the allocation says so.
Value *TapeWriter::bytesOf(const Slot &S) {
  Value *Bytes = B.getInt64(strideOf(S, *B.GetInsertBlock()->getModule()));
  Value *Over = B.getFalse();
  for (const LoopRecord *L : S.Dims) {
    // A count evaluated before loops that are not entered may be negative.
    Value *Count =
        B.CreateBinaryIntrinsic(Intrinsic::smax, extent(B, L), B.getInt64(0));
    Value *Product =
        B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Bytes, Count);
    Bytes = B.CreateExtractValue(Product, 0);
    Over = B.CreateAnd(B.CreateOr(Over, B.CreateExtractValue(Product, 1)),
                       B.CreateICmpNE(Count, B.getInt64(0)));
  }
  return B.CreateSelect(Over, B.getInt64(-1), Bytes);
}

void TapeWriter::setBase(const Slot &S, Value *Block) {
  B.CreateStore(Block, address(S.Base));
  Bases[S.Base] = Block;
}

/// An array that grows begins with nothing.
void TapeWriter::allocate(const Slot &S) {
  Module &M = *B.GetInsertBlock()->getModule();
  setBase(S, S.Size == Sizing::OnEntry
                 ? B.CreateCall(tapeAllocFunction(M), {bytesOf(S)})
                 : static_cast<Value *>(Constant::getNullValue(B.getPtrTy())));
}

void TapeWriter::grow(const Slot &S) {
  Module &M = *B.GetInsertBlock()->getModule();
  Value *Place = address(S.Base);
  Value *Old = B.CreateLoad(B.getPtrTy(), Place);
  Value *New = B.CreateCall(growFunction(M), {Old, counter(B, S.Dims.front()),
                                              B.getInt64(strideOf(S, M))});
  setBase(S, New);
}

/// Nothing has been kept when the function begins.
void TapeWriter::addPath(unsigned Index) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> At(&Entry, Entry.begin());
  const BasicBlock *Visited = P.Slots[Index].Visited;
  const Path New{Index, At.CreateAlloca(At.getPtrTy(), nullptr, "path"),
                 At.CreateAlloca(At.getInt64Ty(), nullptr, "visits")};
  At.CreateStore(Constant::getNullValue(At.getPtrTy()), New.Array);
  At.CreateStore(At.getInt64(0), New.Visits);
  Paths[Visited] = New;
  PathBlocks.push_back(Visited);
}

void TapeWriter::beginVisit(const Path &Of) {
  const Slot &S = P.Slots[Of.Index];
  Module &M = *B.GetInsertBlock()->getModule();
  Value *Number = B.CreateLoad(B.getInt64Ty(), Of.Visits);
  Value *Array =
      B.CreateCall(growFunction(M), {B.CreateLoad(B.getPtrTy(), Of.Array),
                                     Number, B.getInt64(strideOf(S, M))});
  B.CreateStore(Array, Of.Array);
  B.CreateStore(B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true),
                Of.Visits);
  Bases[S.Base] = Array;
  Visit[S.Base] = Number;
}

/// The reverse half takes them from there.
void TapeWriter::keepPaths() {
  for (const BasicBlock *Block : PathBlocks) {
    const Path &Of = Paths.find(Block)->second;
    const unsigned Base = P.Slots[Of.Index].Base;
    storeElement(B, P.Slots[Base], B.CreateLoad(B.getPtrTy(), Of.Array),
                 T.field(B, Base));
    storeElement(B, P.Slots[Base + 1], B.CreateLoad(B.getInt64Ty(), Of.Visits),
                 T.field(B, Base + 1));
  }
}

void TapeWriter::enterBlock(const BasicBlock &Block) {
  if (auto It = Paths.find(&Block); It != Paths.end())
    beginVisit(It->second);
  if (auto It = Grown.find(&Block); It != Grown.end())
    for (unsigned Index : It->second)
      grow(P.Slots[Index]);
}

void TapeWriter::leaveBlock(const BasicBlock &Block) {
  if (&Block == P.F->P->ReturnBlock)
    keepPaths();
  // A base slot of one nest is made before the slots that it leads to use it:
  // they belong to inner loops.
  if (auto It = Made.find(&Block); It != Made.end())
    for (unsigned Index : It->second)
      allocate(P.Slots[Index]);
}

void TapeWriter::keep(const Instruction &I, Part Which, Value *V) {
  const Decision *D = P.find(&I, Which);
  if (D && D->From == Source::Cache && P.Slots[D->Slot].Rerun == Rerun)
    storeElement(B, P.Slots[D->Slot], V, address(D->Slot));
}

} // namespace adze
