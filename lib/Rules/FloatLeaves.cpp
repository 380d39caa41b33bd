// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FloatLeaves.h"
#include "FloatBits.h"
#include "adze/AggregateParts.h"
#include "llvm/IR/DataLayout.h"
#include <optional>

using namespace llvm;

namespace adze {

namespace {

/// The element of an integer (or vector of integers) seen as a vector of
/// floats: which float, how many, and which of them are floats at all.
struct IntegerLanes {
  Type *Float = nullptr;
  unsigned Count = 0;
  SmallVector<bool, 8> IsFloat;
  bool all() const {
    for (bool F : IsFloat)
      if (!F)
        return false;
    return true;
  }
};

/// The lanes of the \p Size bytes from \p Begin on; Float is null if there are
/// no floats, or floats of several kinds or off their grid.
IntegerLanes lanesOf(const BlockLayout &Layout, uint64_t Begin, uint64_t Size) {
  IntegerLanes Result;
  uint64_t Width = 0;
  auto forEachRange = [&](function_ref<void(uint64_t, uint64_t, Type *)> Body) {
    uint64_t Period = std::max<uint64_t>(Layout.Period, 1);
    for (uint64_t Base = Begin / Period * Period; Base < Begin + Size;
         Base += Period)
      for (const TypedRange &R : Layout.Ranges)
        if (R.Type.isFloat())
          Body(std::max(Base + R.Begin, Begin),
               std::min(Base + R.End, Begin + Size), R.Type.floatType());
  };
  bool Mixed = false;
  forEachRange([&](uint64_t From, uint64_t To, Type *Ty) {
    if (From >= To)
      return;
    uint64_t W = Ty->getPrimitiveSizeInBits() / 8;
    if (!Result.Float) {
      Result.Float = Ty;
      Width = W;
      Result.Count = Size / W;
      Result.IsFloat.assign(Result.Count, false);
    }
    if (Ty != Result.Float || (From - Begin) % W != 0 || (To - From) % W != 0) {
      Mixed = true;
      return;
    }
    for (uint64_t I = (From - Begin) / W; I < (To - Begin) / W; ++I)
      if (I < Result.Count)
        Result.IsFloat[I] = true;
  });
  if (Mixed || (Result.Float && Result.Count * Width != Size))
    Result.Float = nullptr;
  return Result;
}

/// Which bits of an integer of \p Size bytes at \p Offset are floats of
/// which nobody knows where they begin, or of several kinds.
APInt unknownBits(const BlockLayout &Layout, uint64_t Offset, uint64_t Size,
                  const IntegerLanes &L) {
  APInt Known(Size * 8, 0);
  uint64_t Period = std::max<uint64_t>(Layout.Period, 1);
  for (uint64_t Base = Offset / Period * Period; Base < Offset + Size;
       Base += Period)
    for (const TypedRange &R : Layout.Ranges) {
      uint64_t From = std::max(Base + R.Begin, Offset);
      uint64_t To = std::min(Base + R.End, Offset + Size);
      bool IsKnown = R.Type.isFloat() ? L.Float != nullptr : R.Type.isKnown();
      if (IsKnown && From < To)
        Known.setBits((From - Offset) * 8, (To - Offset) * 8);
    }
  return ~Known;
}

Value *addLanes(IRBuilderBase &B, Value *A, Value *C, const IntegerLanes &L) {
  Type *Ty = A->getType();
  auto *VecTy = FixedVectorType::get(L.Float, L.Count);
  Value *Old = B.CreateBitCast(A, VecTy);
  Value *Sum = B.CreateFAdd(Old, B.CreateBitCast(C, VecTy));
  if (!L.all()) {
    SmallVector<int, 8> Mask;
    for (unsigned I = 0; I < L.Count; ++I)
      Mask.push_back(L.IsFloat[I] ? int(I + L.Count) : int(I));
    Sum = B.CreateShuffleVector(Old, Sum, Mask);
  }
  return B.CreateBitCast(Sum, Ty);
}

/// The integer with the bits \p Bits of \p V, and zeros.
Value *only(IRBuilderBase &B, Value *V, const APInt &Bits) {
  Type *Int = B.getIntNTy(Bits.getBitWidth());
  return B.CreateAnd(B.CreateBitCast(V, Int), ConstantInt::get(Int, Bits));
}

Value *addInteger(IRBuilderBase &B, Value *A, Value *C, uint64_t Offset,
                  const BlockLayout &Layout, const DataLayout &DL) {
  Type *Ty = A->getType();
  uint64_t Size = DL.getTypeStoreSize(Ty);
  if (Ty->getPrimitiveSizeInBits() != Size * 8)
    return A; // no whole bytes: no floats
  IntegerLanes L = lanesOf(Layout, Offset, Size);
  APInt Unknown = unknownBits(Layout, Offset, Size, L);
  if (Unknown.isAllOnes())
    return addBits(B, A, C);
  Value *Sum = L.Float ? addLanes(B, A, C, L) : A;
  if (Unknown.isZero())
    return Sum;
  Value *Bits = addBits(B, only(B, A, Unknown), only(B, C, Unknown));
  return B.CreateBitCast(B.CreateOr(only(B, Sum, ~Unknown), Bits), Ty);
}

/// Which bits of such an integer are floats, known and unknown.
APInt floatBits(const BlockLayout &Layout, uint64_t Offset, uint64_t Size,
                const IntegerLanes &L) {
  APInt Bits = unknownBits(Layout, Offset, Size, L);
  uint64_t Width = L.Float ? Size * 8 / L.Count : 0;
  for (unsigned I = 0; L.Float && I < L.Count; ++I)
    if (L.IsFloat[I])
      Bits.setBits(I * Width, (I + 1) * Width);
  return Bits;
}

/// \p Old, with the bits \p Only of \p New.
Value *withBits(IRBuilderBase &B, Value *Old, Value *New, const APInt &Only) {
  Value *Kept = only(B, Old, ~Only);
  return B.CreateBitCast(B.CreateOr(Kept, only(B, New, Only)), Old->getType());
}

bool isIntegerLike(Type *Ty) { return Ty->isIntOrIntVectorTy(); }

Value *addLeaf(IRBuilderBase &B, Value *A, Value *C, uint64_t Offset,
               const BlockLayout &Layout, const DataLayout &DL) {
  Type *Ty = A->getType();
  if (Ty->isFPOrFPVectorTy())
    return B.CreateFAdd(A, C);
  if (isIntegerLike(Ty))
    return addInteger(B, A, C, Offset, Layout, DL);
  return A;
}

} // namespace

Content contentOf(Type *Ty, const BlockLayout &Layout, const DataLayout &DL) {
  Content Result;
  forEachPart(Ty, DL, [&](const AggregatePart &Part) {
    Type *Leaf = Part.Ty;
    const uint64_t Offset = Part.Offset;
    if (Leaf->isFPOrFPVectorTy()) {
      Result.Floats = true;
      return;
    }
    if (Leaf->isPtrOrPtrVectorTy()) {
      Result.Pointers = true;
      return;
    }
    uint64_t Size = DL.getTypeStoreSize(Leaf);
    uint64_t Period = std::max<uint64_t>(Layout.Period, 1);
    uint64_t Covered = 0;
    for (uint64_t Base = Offset / Period * Period; Base < Offset + Size;
         Base += Period)
      for (const TypedRange &R : Layout.Ranges) {
        uint64_t From = std::max(Base + R.Begin, Offset);
        uint64_t To = std::min(Base + R.End, Offset + Size);
        if (From >= To || !R.Type.isKnown())
          continue;
        Covered += To - From;
        Result.Floats |= R.Type.isFloat();
        Result.Pointers |= R.Type.isPointer();
        Result.Others |= !R.Type.isFloat() && !R.Type.isPointer();
      }
    if (Covered < Size)
      Result.Unknown = true;
  });
  return Result;
}

Value *addFloatLeaves(IRBuilderBase &B, Value *A, Value *C,
                      const BlockLayout &Layout, const DataLayout &DL) {
  Type *Ty = A->getType();
  if (!Ty->isAggregateType())
    return addLeaf(B, A, C, 0, Layout, DL);
  Value *Sum = A;
  forEachPart(Ty, DL, [&](const AggregatePart &Part) {
    Value *Left = B.CreateExtractValue(A, Part.Path);
    Value *Right = B.CreateExtractValue(C, Part.Path);
    Value *Leaf = addLeaf(B, Left, Right, Part.Offset, Layout, DL);
    if (Leaf != Left)
      Sum = B.CreateInsertValue(Sum, Leaf, Part.Path);
  });
  return Sum;
}

void storeLeaves(IRBuilderBase &B, Value *V, Type *Ty, Value *Ptr, Align Align,
                 LeafStore Which, const BlockLayout &Layout,
                 const DataLayout &DL) {
  forEachPart(Ty, DL, [&](const AggregatePart &Of) {
    Type *Leaf = Of.Ty;
    const uint64_t Offset = Of.Offset;
    bool Store = Which.Floats;
    std::optional<APInt> Only;
    if (Leaf->isPtrOrPtrVectorTy())
      Store = Which.Pointers;
    else if (!Leaf->isFPOrFPVectorTy()) {
      BlockLayout Part;
      Part.Period = DL.getTypeStoreSize(Leaf);
      IntegerLanes Lanes = lanesOf(Layout, Offset, Part.Period);
      Content In = contentOf(Leaf, Layout, DL);
      bool Floats = Which.Floats && (In.Floats || In.Unknown);
      if (Floats && (In.Pointers || In.Others))
        Only = floatBits(Layout, Offset, Part.Period, Lanes);
      Store = Floats || (Which.Pointers && In.Pointers && !In.Floats);
    }
    if (!Store)
      return;
    Value *Part = !V                ? Constant::getNullValue(Leaf)
                  : Of.Path.empty() ? V
                                    : B.CreateExtractValue(V, Of.Path);
    Value *Where =
        Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Ptr, Offset) : Ptr;
    llvm::Align At = commonAlignment(Align, Offset);
    if (Only)
      Part = withBits(B, B.CreateAlignedLoad(Leaf, Where, At), Part, *Only);
    B.CreateAlignedStore(Part, Where, At);
  });
}

} // namespace adze
