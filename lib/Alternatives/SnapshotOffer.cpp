// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alternatives/SnapshotOffer.h"
#include "adze/KnownFunction.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// Blocks of the tape are aligned so.
static constexpr uint64_t BlockAlign = 16;

static Function *snapshotFunction(Module &M, Type *Ptr, Type *Size) {
  auto *F = cast<Function>(
      M.getOrInsertFunction(SnapshotName, Ptr, Ptr, Size).getCallee());
  F->addFnAttr(declared::Inactive);
  F->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref));
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setDoesNotFreeMemory();
  F->setReturnDoesNotAlias();
  F->addParamAttr(0, Attribute::NoCapture);
  return F;
}

/// Ranges on the same conditions are put together in numbers of SCEV. One on
/// other conditions counts at run time, if they are met.
CodedRange codeFor(ArrayRef<ByteRange> Ranges, SCEVExpander &Expander,
                   Instruction *At) {
  CodedRange Result;
  ScalarEvolution &SE = *Expander.getSE();
  SmallVector<ByteRange, 2> Parts;
  for (const ByteRange &R : Ranges) {
    auto *Same =
        find_if(Parts, [&](const ByteRange &Part) { return Part.If == R.If; });
    if (Same == Parts.end()) {
      Parts.push_back(R);
      continue;
    }
    Same->Begin = SE.getSMinExpr(Same->Begin, R.Begin);
    Same->End = SE.getSMaxExpr(Same->End, R.End);
  }
  Type *Ty = Parts.front().Begin->getType();
  IRBuilder<> B(At);
  // Outer conditions come last: an inner one means something only if they are
  // met.
  auto unlessMet = [&](const Guards &If, Value *V, Value *Else) {
    for (auto [Condition, IsSo] : If)
      V = B.CreateSelect(Condition, IsSo ? V : Else, IsSo ? Else : V);
    return V;
  };
  Value *Nothing = ConstantInt::get(Ty, 0);
  if (Parts.size() == 1) {
    const ByteRange &All = Parts.front();
    Result.Begin = Expander.expandCodeFor(All.Begin, Ty, At);
    Value *Length =
        Expander.expandCodeFor(SE.getMinusSCEV(All.End, All.Begin), Ty, At);
    B.SetInsertPoint(At);
    Result.Length = unlessMet(All.If, Length, Nothing);
    return Result;
  }
  unsigned Bits = Ty->getIntegerBitWidth();
  Value *Begin = nullptr, *End = nullptr;
  for (const ByteRange &Part : Parts) {
    Value *First = Expander.expandCodeFor(Part.Begin, Ty, At);
    Value *Last = Expander.expandCodeFor(Part.End, Ty, At);
    B.SetInsertPoint(At);
    First = unlessMet(Part.If, First,
                      ConstantInt::get(Ty, APInt::getSignedMaxValue(Bits)));
    Last = unlessMet(Part.If, Last,
                     ConstantInt::get(Ty, APInt::getSignedMinValue(Bits)));
    Begin =
        Begin ? B.CreateBinaryIntrinsic(Intrinsic::smin, Begin, First) : First;
    End = End ? B.CreateBinaryIntrinsic(Intrinsic::smax, End, Last) : Last;
  }
  Result.Begin = Begin;
  Result.Length = B.CreateSelect(B.CreateICmpSGT(End, Begin),
                                 B.CreateSub(End, Begin), Nothing);
  return Result;
}

SnapshotOffer::SnapshotOffer(Primal &P, SCEVExpander &Expander, Value *Array,
                             ArrayRef<ByteRange> Ranges, Align Aligned,
                             Instruction *At, DebugLoc Where)
    : P(P), Array(Array), Aligned(std::min(Aligned, Align(BlockAlign))) {
  const CodedRange Part = codeFor(Ranges, Expander, At);
  Begin = Part.Begin;
  Length = Part.Length;
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(std::move(Where));
  Type *Ptr = Array->getType();
  Call =
      B.CreateCall(snapshotFunction(*P.F->getParent(), Ptr, Length->getType()),
                   {B.CreatePtrAdd(Array, Begin), Length});
  Copy = B.CreatePtrAdd(Call, B.CreateNeg(Begin));
  snapshot().Aligned = this->Aligned;
}

SnapshotOffer::SnapshotOffer(Primal &P, Argument &Array, Align Aligned)
    : P(P), Array(&Array), Aligned(std::min(Aligned, Align(BlockAlign))) {
  IRBuilder<> B(P.F->getEntryBlock().getTerminator());
  Type *Ptr = Array.getType();
  Value *Nothing = B.getInt64(0);
  Call =
      B.CreateCall(snapshotFunction(*P.F->getParent(), Ptr, Nothing->getType()),
                   {&Array, Nothing});
  Copy = Call;
  snapshot().Aligned = this->Aligned;
  snapshot().Given = &Array;
}

void SnapshotOffer::readAt(Value *Address, LoadInst &Load, bool OrMemory) {
  auto *Again = new LoadInst(Load.getType(), Address, Load.getName() + ".same",
                             /*isVolatile=*/false, Aligned, Load.getIterator());
  Again->setDebugLoc(Load.getDebugLoc());
  Again->setMetadata(LLVMContext::MD_tbaa,
                     Load.getMetadata(LLVMContext::MD_tbaa));
  P.Equivalents[&Load] = Again;
  AlternativeRead &Read = P.Elsewhere.Reads[Again];
  Read.Same = &Load;
  Read.Copy = Call;
  Read.OrMemory = OrMemory;
  Snapshot &S = snapshot();
  if (!S.Reader)
    S.Reader = &Load;
}

Value *SnapshotOffer::addressOf(Value *Pointer, Instruction *At) {
  Value *Address = Copy;
  auto Way = stepsTo(Pointer, Array);
  for (GetElementPtrInst *GEP : reverse(Way)) {
    auto *Same = cast<GetElementPtrInst>(GEP->clone());
    Same->setOperand(0, Address);
    // Copy points as far before the copy as the first element is from Array.
    Same->setNoWrapFlags(GEPNoWrapFlags::none());
    Same->insertBefore(At);
    Address = Same;
  }
  return Address;
}

void SnapshotOffer::serve(LoadInst &Load) {
  readAt(addressOf(Load.getPointerOperand(), &Load), Load, /*OrMemory=*/false);
}

/// How far \p Ptr is from the array. It is computed where the address is.
Value *SnapshotOffer::distanceOf(Value *Ptr) {
  Value *Distance = ConstantInt::get(Length->getType(), 0);
  auto Way = stepsTo(Ptr, Array);
  for (GetElementPtrInst *GEP : reverse(Way)) {
    Value *&Known = Distances[GEP];
    if (!Known) {
      IRBuilder<> B(GEP->getParent(), std::next(GEP->getIterator()));
      Value *Step = emitGEPOffset(&B, P.F->getDataLayout(), GEP,
                                  /*NoAssumptions=*/true);
      auto *First = dyn_cast<ConstantInt>(Distance);
      Known = First && First->isZero() ? Step : B.CreateAdd(Distance, Step);
    }
    Distance = Known;
  }
  return Distance;
}

void SnapshotOffer::serveIfInside(LoadInst &Load) {
  IRBuilder<> B(&Load);
  Value *Distance = distanceOf(Load.getPointerOperand());
  auto *Constant = dyn_cast<ConstantInt>(Begin);
  Value *In =
      Constant && Constant->isZero() ? Distance : B.CreateSub(Distance, Begin);
  Value *Inside = B.CreateICmpULT(In, Length);
  Value *From = B.CreateSelect(Inside, Copy, Array);
  readAt(B.CreatePtrAdd(From, Distance), Load, /*OrMemory=*/true);
}

} // namespace adze
