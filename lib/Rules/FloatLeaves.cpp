// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FloatLeaves.h"
#include "llvm/IR/DataLayout.h"

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

/// The sum of two adjoints of bits that are a float now and then (a union), or
/// of unknown type: nothing is added to zero, and two that are not zero make a
/// NaN, as nobody knows what their sum is. (In halves, floats and doubles, a
/// number of which only signs of halves are set is as good as zero.)
Value *addUnknown(IRBuilderBase &B, Value *A, Value *C) {
  Type *Ty = A->getType();
  APInt Half = APInt::getSignedMaxValue(16);
  unsigned Bits = Ty->getScalarSizeInBits();
  APInt Mask =
      Bits % 16 ? APInt::getAllOnes(Bits) : APInt::getSplat(Bits, Half);
  auto isZero = [&](Value *V) {
    return B.CreateICmpEQ(B.CreateAnd(V, ConstantInt::get(Ty, Mask)),
                          Constant::getNullValue(Ty));
  };
  Value *Both = Constant::getAllOnesValue(Ty);
  return B.CreateSelect(isZero(A), C, B.CreateSelect(isZero(C), A, Both));
}

Value *addInteger(IRBuilderBase &B, Value *A, Value *C, const IntegerLanes &L,
                  bool Unknown) {
  if (!L.Float)
    return Unknown ? addUnknown(B, A, C) : A;
  Type *Ty = A->getType();
  auto *VecTy = FixedVectorType::get(L.Float, L.Count);
  Value *Old = B.CreateBitCast(A, VecTy);
  Value *Sum = B.CreateFAdd(Old, B.CreateBitCast(C, VecTy));
  if (!L.all()) {
    SmallVector<int, 8> Mask;
    for (unsigned I = 0; I < L.Count; ++I)
      Mask.push_back(L.IsFloat[I] ? int(I + L.Count) : int(I));
    Value *Others = Unknown ? B.CreateBitCast(addUnknown(B, A, C), VecTy) : Old;
    Sum = B.CreateShuffleVector(Others, Sum, Mask);
  }
  return B.CreateBitCast(Sum, Ty);
}

bool isIntegerLike(Type *Ty) { return Ty->isIntOrIntVectorTy(); }

class LeafVisitor {
public:
  LeafVisitor(const DataLayout &DL) : DL(DL) {}

  /// Calls \p Body(type, byte offset, index path) for each leaf that is no
  /// aggregate.
  void visit(Type *Ty, uint64_t Offset, SmallVectorImpl<unsigned> &Path,
             function_ref<void(Type *, uint64_t, ArrayRef<unsigned>)> Body) {
    if (auto *S = dyn_cast<StructType>(Ty)) {
      const StructLayout *Layout = DL.getStructLayout(S);
      for (unsigned I = 0; I < S->getNumElements(); ++I) {
        Path.push_back(I);
        visit(S->getElementType(I), Offset + Layout->getElementOffset(I), Path,
              Body);
        Path.pop_back();
      }
      return;
    }
    if (auto *A = dyn_cast<ArrayType>(Ty)) {
      uint64_t Stride = DL.getTypeAllocSize(A->getElementType());
      for (unsigned I = 0; I < A->getNumElements(); ++I) {
        Path.push_back(I);
        visit(A->getElementType(), Offset + I * Stride, Path, Body);
        Path.pop_back();
      }
      return;
    }
    Body(Ty, Offset, Path);
  }

private:
  const DataLayout &DL;
};

/// What the \p Size bytes from \p Offset on hold.
void addContent(Content &Result, const BlockLayout &Layout, uint64_t Offset,
                uint64_t Size) {
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
}

Value *addLeaf(IRBuilderBase &B, Value *A, Value *C, uint64_t Offset,
               const BlockLayout &Layout, const DataLayout &DL) {
  Type *Ty = A->getType();
  if (Ty->isFPOrFPVectorTy())
    return B.CreateFAdd(A, C);
  if (!isIntegerLike(Ty))
    return A;
  uint64_t Size = DL.getTypeStoreSize(Ty);
  Content In;
  addContent(In, Layout, Offset, Size);
  IntegerLanes Lanes = lanesOf(Layout, Offset, Size);
  return addInteger(B, A, C, Lanes, In.Unknown || (In.Floats && !Lanes.Float));
}

} // namespace

Content contentOf(Type *Ty, const BlockLayout &Layout, const DataLayout &DL) {
  Content Result;
  SmallVector<unsigned, 4> Path;
  LeafVisitor(DL).visit(
      Ty, 0, Path, [&](Type *Leaf, uint64_t Offset, ArrayRef<unsigned>) {
        if (Leaf->isFPOrFPVectorTy()) {
          Result.Floats = true;
          return;
        }
        if (Leaf->isPtrOrPtrVectorTy()) {
          Result.Pointers = true;
          return;
        }
        addContent(Result, Layout, Offset, DL.getTypeStoreSize(Leaf));
      });
  return Result;
}

Value *addFloatLeaves(IRBuilderBase &B, Value *A, Value *C,
                      const BlockLayout &Layout, const DataLayout &DL) {
  Type *Ty = A->getType();
  if (!Ty->isAggregateType())
    return addLeaf(B, A, C, 0, Layout, DL);
  Value *Sum = A;
  SmallVector<unsigned, 4> Path;
  LeafVisitor(DL).visit(
      Ty, 0, Path, [&](Type *, uint64_t Offset, ArrayRef<unsigned> Index) {
        Value *Left = B.CreateExtractValue(A, Index);
        Value *Right = B.CreateExtractValue(C, Index);
        Value *Leaf = addLeaf(B, Left, Right, Offset, Layout, DL);
        if (Leaf != Left)
          Sum = B.CreateInsertValue(Sum, Leaf, Index);
      });
  return Sum;
}

void storeLeaves(IRBuilderBase &B, Value *V, Type *Ty, Value *Ptr, Align Align,
                 LeafStore Which, const BlockLayout &Layout,
                 const DataLayout &DL) {
  SmallVector<unsigned, 4> Path;
  LeafVisitor(DL).visit(
      Ty, 0, Path, [&](Type *Leaf, uint64_t Offset, ArrayRef<unsigned> Index) {
        bool Store = Which.Floats;
        if (Leaf->isPtrOrPtrVectorTy())
          Store = Which.Pointers;
        else if (!Leaf->isFPOrFPVectorTy()) {
          BlockLayout Part;
          Part.Period = DL.getTypeStoreSize(Leaf);
          IntegerLanes Lanes = lanesOf(Layout, Offset, Part.Period);
          Content In = contentOf(Leaf, Layout, DL);
          Store = (Which.Floats && Lanes.Float && Lanes.all()) ||
                  (Which.Pointers && In.Pointers && !In.Floats);
        }
        if (!Store)
          return;
        Value *Part = !V              ? Constant::getNullValue(Leaf)
                      : Index.empty() ? V
                                      : B.CreateExtractValue(V, Index);
        Value *Where =
            Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Ptr, Offset)
                   : Ptr;
        B.CreateAlignedStore(Part, Where, commonAlignment(Align, Offset));
      });
}

} // namespace adze
