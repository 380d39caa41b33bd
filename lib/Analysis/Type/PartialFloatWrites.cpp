// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address is followed back (CutPlaces.cpp). At each pointer on the way,
// what is known of its memory says where floats stand, and the way says where
// the write may: both are progressions, and their distance is known modulo the
// greatest common divisor of strides.
#include "adze/PartialFloatWrites.h"
#include "Analysis/Type/CutPlaces.h"
#include "Analysis/Type/IRTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

namespace adze {

namespace {

/// \p D modulo \p Modulus, not negative; all of it if that is 0.
int64_t modulo(int64_t D, uint64_t Modulus) {
  if (Modulus == 0)
    return D;
  int64_t M = Modulus;
  return ((D % M) + M) % M;
}

bool rangesMeet(const WritePlace &P, uint64_t Size, const TypePlace &F) {
  if (!P.Down && !F.isUnbounded() && P.Start >= 0 &&
      uint64_t(P.Start) >= F.end())
    return false;
  if (P.Extent == TypePlace::Unbounded)
    return true;
  int64_t Last = P.Start + int64_t(P.Extent + Size);
  return Last > int64_t(F.Start);
}

/// Bytes one after the other from \p P on reach a float of \p F: they begin in
/// one, or before the next one.
bool runMeets(const WritePlace &P, const TypeFact &F) {
  uint64_t Rows = std::gcd(P.Elements, F.Place.Stride);
  int64_t In = modulo(P.Start - int64_t(F.Place.Start), Rows);
  if (In >= 0 && In < int64_t(F.Place.Size))
    return true;
  if (P.Run == TypePlace::Unbounded)
    return Rows != 0 || In < 0;
  int64_t Next = int64_t(Rows);
  return In < Next && In + int64_t(P.Run) >= Next;
}

/// Distances from a float of \p F to a write at \p P that cuts it.
void cutsOf(const WritePlace &P, uint64_t Size, const TypeFact &F,
            SmallVectorImpl<FloatCut> &Out) {
  if (!rangesMeet(P, Size, F.Place))
    return;
  uint64_t Width = F.Place.Size;
  int64_t Distance = P.Start - int64_t(F.Place.Start);
  uint64_t Rows = std::gcd(P.Stride, F.Place.Stride);
  if (Size == 1 && !runMeets(P, F))
    return;
  SmallVector<int64_t, 8> Found;
  auto consider = [&](int64_t D) {
    bool Whole = D <= 0 && D + int64_t(Size) >= int64_t(Width);
    bool Meets = D < int64_t(Width) && D + int64_t(Size) > 0;
    if (Meets && !Whole && modulo(D - Distance, Rows) == 0 &&
        !is_contained(Found, D))
      Found.push_back(D);
  };
  for (int64_t I = 1; I < int64_t(Width); ++I) {
    consider(I);                 // the float begins before
    consider(I - int64_t(Size)); // the float ends behind
  }
  auto inside = [&](int64_t D) {
    return D >= 0 && uint64_t(D) + Size <= Width;
  };
  const TypePlace &Row = F.Place;
  bool Everywhere =
      F.Sure != Certainty::Hint &&
      (P.Stride == 0 || (Row.Stride != 0 && P.Stride % Row.Stride == 0));
  bool OnGrid = Row.Stride % Width == 0;
  auto add = [&](FloatCut C) {
    C.Everywhere = Everywhere;
    C.OnGrid = OnGrid;
    auto *Same = find(Out, C);
    if (Same == Out.end())
      return Out.push_back(C);
    Same->Everywhere |= Everywhere;
    Same->OnGrid &= OnGrid;
  };
  if (Rows != 0 && Found.size() > 1)
    return add({F.Type.floatType(), std::nullopt, all_of(Found, inside)});
  for (int64_t D : Found)
    add({F.Type.floatType(), D, inside(D)});
}

/// The float that a write at \p P cuts as \p Cut says has bytes where pointers
/// of \p O stand.
bool meetsPointer(const WritePlace &P, const FloatCut &Cut, const TypeFact &O) {
  if (!Cut.Before || !O.Type.isPointer())
    return false;
  int64_t Width = Cut.Float->getPrimitiveSizeInBits() / 8;
  int64_t Size = O.Place.Size, Begin = P.Start - *Cut.Before;
  uint64_t Rows = std::gcd(P.Stride, O.Place.Stride);
  // From the pointer to the float: [0, Size), or the pointer is within it.
  int64_t Ahead = modulo(Begin - int64_t(O.Place.Start), Rows);
  int64_t Behind = modulo(int64_t(O.Place.Start) - Begin, Rows);
  return (Ahead >= 0 && Ahead < Size) || (Behind >= 0 && Behind < Width);
}

/// A write of \p Size bytes at \p P may lie over bytes of \p Old. A row without
/// end and without gaps of a word is taken to end before what is written at one
/// place: rows are extrapolated.
bool liesOver(const WritePlace &P, uint64_t Size, const TypeFact &Old) {
  constexpr uint64_t Word = 8;
  const TypePlace &Place = Old.Place;
  if (Old.Sure == Certainty::Hint || !rangesMeet(P, Size, Place))
    return false;
  bool Exact = !Place.isUnbounded() || Place.Stride >= Word || P.Stride != 0;
  uint64_t Rows = Exact ? std::gcd(P.Stride, Place.Stride) : 0;
  int64_t Distance = P.Start - int64_t(Place.Start);
  int64_t Ahead = modulo(Distance, Rows), Behind = modulo(-Distance, Rows);
  return (Ahead >= 0 && Ahead < int64_t(Place.Size)) ||
         (Behind >= 0 && Behind < int64_t(Size));
}

bool isShort(const TypeFact &F, uint64_t AddressSize) {
  return F.Type.isFloat() && F.Place.Size < AddressSize;
}

/// Those of the floats \p Around an argument (see CutPlaces.h) that a write at
/// \p P cuts.
void cutsAround(WritePlace P, uint64_t Size, const TypeTree &Around,
                SmallVectorImpl<FloatCut> &Out) {
  for (const TypeFact &F : Around.facts()) {
    TypeFact Float = F;
    Float.Place.Start = 0;
    WritePlace InFloat = P;
    InFloat.Start += int64_t(F.Place.Start);
    if (F.Place.Start == 0)
      InFloat.repeat(1, F.Place.Size);
    cutsOf(InFloat, Size, Float, Out);
  }
}

/// The type of \p F at \p Place, as a caller tells it.
TypeTree asTold(const TypeFact &F, TypePlace Place) {
  return TypeTree::of(Place, F.Type, std::min(F.Sure, Certainty::Indirect));
}

/// Which float of \p F begins before \p P, and ends behind it: adds how far
/// before to \p Known, or notes that nobody knows.
void addAround(const WritePlace &P, const TypeFact &F, TypeTree &Around) {
  uint64_t Width = F.Place.Size;
  if (!rangesMeet(P, 1, F.Place))
    return;
  int64_t Distance = P.Start - int64_t(F.Place.Start);
  auto inside = [&](int64_t D) { return D >= 0 && D < int64_t(Width); };
  if (P.Stride == 1 && !runMeets(P, F))
    return;
  uint64_t Rows = std::gcd(P.Stride, F.Place.Stride);
  int64_t In = modulo(Distance, Rows);
  bool Nowhere = Rows != 0 && Rows < Width;
  if (!Nowhere && (In == 0 || !inside(In)))
    return;
  TypePlace Place;
  Place.Start = Nowhere ? 0 : In;
  Place.Size = Width;
  Around.join(asTold(F, Place));
}

/// The floats that \p Ptr points into, as around().
TypeTree floatsAround(const MemoryTrees &Trees, const DataLayout &DL,
                      const Value *Ptr) {
  TypeTree Around;
  WritePlace P;
  P.Base = Ptr;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    for (const TypeFact &F : floatsOf(Trees.behind(P.Base)))
      addAround(P, F, Around);
    if (!P.step(DL))
      break;
  }
  auto *A = dyn_cast<Argument>(P.Base);
  if (!A)
    return Around;
  TypeTree Told = Trees.around(*A);
  for (const TypeFact &F : Told.facts()) {
    WritePlace InFloat = P;
    InFloat.Start += int64_t(F.Place.Start);
    if (F.Place.Start == 0)
      InFloat.repeat(1, F.Place.Size);
    TypeFact Float = F;
    Float.Place.Start = 0;
    addAround(InFloat, Float, Around);
  }
  return Around;
}

/// More of them, and it is not told any more where they are.
constexpr unsigned MaxWrites = 16;

void addWrite(ArgumentWrite W, ArgumentWrites &Out) {
  W.At.Base = nullptr;
  if (is_contained(Out, W))
    return;
  if (Out.size() >= MaxWrites) {
    W.At = WritePlace();
    W.At.repeat(1, TypePlace::Unbounded);
    W.At.Down = true;
    if (W.Of == ArgumentWrite::Number)
      W.Size = 2; // (a byte stays in its array)
    if (is_contained(Out, W))
      return;
  }
  Out.push_back(W);
}

/// \p Ptr followed back as far as possible.
WritePlace originOf(const Value *Ptr, const DataLayout &DL) {
  WritePlace P;
  P.Base = Ptr;
  for (unsigned Step = 0; Step < MaxSteps && P.step(DL); ++Step)
    ;
  return P;
}

} // namespace

MemoryTrees::~MemoryTrees() = default;

/// Where one of them is, there is the other.
static bool sameElements(const TypePlace &A, const TypePlace &B) {
  return A.Stride == B.Stride && A.Count == B.Count &&
         A.Start < B.Start + B.Size && B.Start < A.Start + A.Size;
}

SmallVector<TypeFact, 8> floatsOf(const TypeTree &Memory) {
  auto excludes = [](const TypeFact &O, const TypeFact &F) {
    return O.Sure > F.Sure && (O.Type.isInteger() || O.Type.isPointer()) &&
           sameElements(O.Place, F.Place);
  };
  SmallVector<TypeFact, 8> Floats;
  for (const TypeFact &F : Memory.facts())
    if (F.Type.isFloat() && !(F.Sure == Certainty::Hint &&
                              any_of(Memory.facts(), [&](const TypeFact &O) {
                                return excludes(O, F);
                              })))
      Floats.push_back(F);
  return Floats;
}

void addWriteOf(const Instruction &I, ArgumentWrites &Out) {
  const DataLayout &DL = I.getDataLayout();
  ArgumentWrite W;
  const Value *Ptr = nullptr;
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Type *Ty = S->getValueOperand()->getType();
    bool IsShort = Ty->isFPOrFPVectorTy() &&
                   Ty->getScalarSizeInBits() < DL.getPointerSizeInBits();
    if (!Ty->isIntOrIntVectorTy() && !Ty->isPtrOrPtrVectorTy() && !IsShort)
      return;
    Ptr = S->getPointerOperand();
    W.Size = DL.getTypeStoreSize(Ty).getKnownMinValue();
    W.Of = IsShort                    ? ArgumentWrite::ShortFloat
           : Ty->isPtrOrPtrVectorTy() ? ArgumentWrite::Address
                                      : ArgumentWrite::Number;
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    Type *Ty = I.getOperand(I.getNumOperands() - 1)->getType();
    if (!Ty->isIntegerTy())
      return;
    Ptr = I.getOperand(0);
    W.Size = DL.getTypeStoreSize(Ty);
  } else if (auto *Fill = dyn_cast<AnyMemSetInst>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Fill->getLength());
    if (!Length || Length->getValue().ugt(UINT32_MAX))
      return;
    Ptr = Fill->getRawDest();
    W.Size = Length->getZExtValue();
  }
  if (!Ptr || W.Size == 0)
    return;
  W.At = originOf(Ptr, DL);
  auto *A = dyn_cast<Argument>(W.At.Base);
  if (!A)
    return;
  W.Arg = A->getArgNo();
  addWrite(W, Out);
}

void addWritesOf(const CallBase &Call, const ArgumentWrites &Callee,
                 ArgumentWrites &Out) {
  for (ArgumentWrite W : Callee) {
    if (W.Arg >= Call.arg_size())
      continue;
    WritePlace Given =
        originOf(Call.getArgOperand(W.Arg), Call.getDataLayout());
    auto *A = dyn_cast<Argument>(Given.Base);
    if (!A)
      continue;
    W.At.behind(Given);
    W.Arg = A->getArgNo();
    addWrite(W, Out);
  }
}

/// Floats of \p F, the first of them \p Ahead bytes behind the address that \p
/// Near counts from, overlap in part with others of their kind of \p Near. A
/// row is extrapolated over what stands behind it, and who sees a place from
/// nearer knows better.
static bool isContradicted(const TypeFact &F, int64_t Ahead,
                           ArrayRef<TypeFact> Near) {
  const TypePlace &Row = F.Place;
  return any_of(Near, [&](const TypeFact &O) {
    if (O.Type != F.Type)
      return false;
    uint64_t Rows = std::gcd(Row.Stride, O.Place.Stride);
    int64_t Distance = modulo(Ahead - int64_t(O.Place.Start), Rows);
    int64_t Behind = modulo(-Distance, Rows);
    if (Distance == 0)
      return Rows != 0 && Rows < Row.Size;
    return (Distance > 0 && Distance < int64_t(O.Place.Size)) ||
           (Behind > 0 && Behind < int64_t(Row.Size));
  });
}

SmallVector<FloatCut, 2> floatsCutAt(const MemoryTrees &Trees,
                                     const DataLayout &DL, WritePlace P,
                                     uint64_t Size) {
  SmallVector<FloatCut, 2> Cuts;
  auto forEachStep = [&](WritePlace At, auto Body) {
    for (unsigned Step = 0; Step < MaxSteps; ++Step) {
      Body(At);
      if (!At.step(DL))
        break;
    }
    return At;
  };
  SmallVector<TypeFact, 8> Near = floatsOf(Trees.behind(P.Base));
  erase_if(Near, [&](const TypeFact &F) { return F.Place.Start >= Size; });
  WritePlace Origin = forEachStep(P, [&](const WritePlace &At) {
    bool IsFar = At.Base != P.Base && At.Stride == 0;
    for (const TypeFact &F : floatsOf(Trees.behind(At.Base)))
      if (!IsFar || F.Sure == Certainty::Definite ||
          !isContradicted(F, int64_t(F.Place.Start) - At.Start, Near))
        cutsOf(At, Size, F, Cuts);
  });
  if (auto *A = dyn_cast_or_null<Argument>(Origin.Base))
    cutsAround(Origin, Size, Trees.around(*A), Cuts);
  if (!Cuts.empty())
    forEachStep(P, [&](const WritePlace &At) {
      TypeTree Memory = Trees.behind(At.Base);
      for (const TypeFact &O : Memory.facts())
        for (FloatCut &Cut : Cuts)
          Cut.MeetsPointer |= meetsPointer(At, Cut, O);
    });
  return Cuts;
}

TypeTree cutFloatsOf(const MemoryTrees &Trees, const CallBase &Call,
                     unsigned Arg, const ArgumentWrites &Writes,
                     const TypeTree &Itself) {
  const DataLayout &DL = Call.getDataLayout();
  const Value *Ptr = Call.getArgOperand(Arg);
  uint64_t PointerSize = storeSize(Ptr->getType(), DL);
  TypeTree Behind, Around;
  SmallVector<FloatCut, 2> Cuts;
  auto cuts = [&](auto Find) {
    Cuts.clear();
    for (const ArgumentWrite &W : Writes)
      if (W.Arg == Arg && W.Of != ArgumentWrite::ShortFloat)
        Find(W);
    return !Cuts.empty();
  };
  auto isCovered = [&](const TypeFact &F, ArgumentWrite::Kind By) {
    return any_of(Writes, [&](const ArgumentWrite &W) {
      return W.Arg == Arg && W.Of == By && liesOver(W.At, W.Size, F);
    });
  };
  if (!any_of(Writes, [&](const ArgumentWrite &W) { return W.Arg == Arg; }))
    return TypeTree();
  TypeTree Memory = Trees.behind(Ptr);
  for (const TypeFact &O : Memory.facts())
    if (O.Type.isPointer() && isCovered(O, ArgumentWrite::ShortFloat))
      Behind.join(asTold(O, O.Place));
  for (const TypeFact &F : floatsOf(Memory))
    if ((isShort(F, DL.getPointerSize()) &&
         isCovered(F, ArgumentWrite::Address)) ||
        cuts([&](const ArgumentWrite &W) { cutsOf(W.At, W.Size, F, Cuts); }))
      Behind.join(asTold(F, F.Place));
  Behind = Behind.minus(Itself.pointeeAt(0));
  TypeTree AllAround = floatsAround(Trees, DL, Ptr);
  for (const TypeFact &F : AllAround.facts()) {
    TypeTree One = asTold(F, F.Place);
    if (cuts([&](const ArgumentWrite &W) {
          cutsAround(W.At, W.Size, One, Cuts);
        }))
      Around.join(One);
  }
  if (Behind.isUnknown() && Around.isUnknown())
    return TypeTree();
  TypeTree Tree = Behind.behindPointer(PointerSize, nullptr);
  Tree.join(Around.shifted(int64_t(PointerSize)));
  return Tree;
}

SmallVector<FloatCut, 2> floatsCutBy(const TypeInfo &Types,
                                     const DataLayout &DL, const Value *Ptr,
                                     uint64_t Size) {
  WritePlace P;
  P.Base = Ptr;
  return floatsCutAt(AnsweredTrees(Types), DL, P, Size);
}

/// \p Size bytes that are written to \p Ptr may lie over what \p Counts.
static bool mayCover(const TypeInfo &Types, const DataLayout &DL,
                     const Value *Ptr, uint64_t Size,
                     function_ref<bool(const TypeFact &)> Counts) {
  AnsweredTrees Trees(Types);
  WritePlace P;
  P.Base = Ptr;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    TypeTree Memory = Trees.behind(P.Base);
    if (any_of(Memory.facts(), [&](const TypeFact &F) {
          return Counts(F) && liesOver(P, Size, F);
        }))
      return true;
    if (!P.step(DL))
      break;
  }
  return false;
}

bool mayCoverFloats(const TypeInfo &Types, const DataLayout &DL,
                    const Value *Ptr, uint64_t Size) {
  return mayCover(Types, DL, Ptr, Size, [&](const TypeFact &F) {
    return isShort(F, DL.getPointerSize());
  });
}

bool mayCoverAddress(const TypeInfo &Types, const DataLayout &DL,
                     const Value *Ptr, uint64_t Size) {
  return mayCover(Types, DL, Ptr, Size,
                  [](const TypeFact &F) { return F.Type.isPointer(); });
}

BitVector pointerBytes(const TypeInfo &Types, const Value *Ptr,
                       uint64_t Bytes) {
  BitVector Out(static_cast<unsigned>(Bytes));
  const TypeTree Behind = Types.treeOf(Ptr).pointeeAt(0);
  for (const TypeFact &F : Behind.facts()) {
    const TypePlace &P = F.Place;
    if (!F.Type.isPointer())
      continue;
    for (uint64_t I = 0, At = P.Start; I != P.Count && At < Bytes;
         ++I, At += P.Stride)
      Out.set(static_cast<unsigned>(At),
              static_cast<unsigned>(std::min(At + P.Size, Bytes)));
  }
  return Out;
}

bool seesPointerOffGrid(const TypeInfo &Types, const Value *Ptr, uint64_t Begin,
                        uint64_t End) {
  const TypeTree Behind = Types.treeOf(Ptr).pointeeAt(0);
  return any_of(Behind.facts(), [&](const TypeFact &F) {
    const TypePlace &P = F.Place;
    return F.Type.isPointer() && P.Start < End && P.end() > Begin &&
           (P.Start % P.Size != 0 || P.Stride % P.Size != 0);
  });
}

} // namespace adze
