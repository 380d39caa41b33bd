// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address is followed back through address calculations and the phis of
// loops. At each pointer on the way, what is known of its memory says where
// floats stand, and the way says where the write may: both are progressions,
// and their distance is known modulo the greatest common divisor of strides.
#include "adze/FloatCuts.h"
#include "Analysis/Type/IRTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace adze {

namespace {

/// An address is followed through this many instructions.
constexpr unsigned MaxSteps = 32;

/// Where a write may go to, seen from a pointer.
struct Place {
  const Value *Base;
  int64_t Start = 0;
  uint64_t Stride = 0;   // gcd of all; 0: one place
  uint64_t Elements = 0; // gcd of those above 1
  uint64_t Extent = 0;   // from the first to the last element; or Unbounded
  bool Down = false;     // may also lie before Start

  void repeat(uint64_t By, uint64_t Count) {
    Stride = std::gcd(Stride, By);
    if (By > 1)
      Elements = std::gcd(Elements, By);
    bool Endless = Count == TypePlace::Unbounded ||
                   Extent == TypePlace::Unbounded || Count > UINT32_MAX ||
                   By > UINT32_MAX;
    Extent = Endless ? TypePlace::Unbounded : Extent + By * (Count - 1);
  }

  void walk(const GEPOperator &GEP, const DataLayout &DL) {
    AddressOffset A = offsetOf(GEP, DL);
    Base = GEP.getPointerOperand();
    Start += A.Constant;
    if (!A.Known) {
      repeat(1, TypePlace::Unbounded);
      Down = true;
    }
    for (const Dimension &D : A.Dims) {
      repeat(D.Stride, D.Count);
      // An index of a pointer, not of an array, may be negative.
      Down |= D.Count == TypePlace::Unbounded;
    }
  }
};

/// A pointer that a loop advances: goes on with what it started from. False if
/// that is not one pointer.
bool walkPhi(const PHINode &Phi, Place &P, const DataLayout &DL) {
  const Value *Outer = nullptr;
  for (const Value *In : Phi.incoming_values()) {
    Place Step{In};
    for (unsigned I = 0; I < MaxSteps && Step.Base != &Phi; ++I) {
      auto *GEP = dyn_cast<GEPOperator>(Step.Base);
      if (!GEP)
        break;
      Step.walk(*GEP, DL);
    }
    if (Step.Base == &Phi) {
      if (Step.Start != 0)
        P.repeat(Step.Start < 0 ? -uint64_t(Step.Start) : Step.Start,
                 TypePlace::Unbounded);
      if (Step.Stride != 0)
        P.repeat(Step.Stride, TypePlace::Unbounded);
      P.Down |= Step.Start < 0 || Step.Down;
      continue;
    }
    if (Outer && Outer != In)
      return false;
    Outer = In;
  }
  P.Base = Outer;
  return Outer != nullptr;
}

/// \p D modulo \p Modulus, not negative; all of it if that is 0.
int64_t modulo(int64_t D, uint64_t Modulus) {
  if (Modulus == 0)
    return D;
  int64_t M = Modulus;
  return ((D % M) + M) % M;
}

bool rangesMeet(const Place &P, uint64_t Size, const TypePlace &F) {
  if (!P.Down && !F.isUnbounded() && P.Start >= 0 &&
      uint64_t(P.Start) >= F.end())
    return false;
  if (P.Extent == TypePlace::Unbounded)
    return true;
  int64_t Last = P.Start + int64_t(P.Extent + Size);
  return Last > int64_t(F.Start);
}

/// Distances from a float of \p F to a write at \p P that cuts it.
void cutsOf(const Place &P, uint64_t Size, const TypeFact &F,
            SmallVectorImpl<FloatCut> &Out) {
  if (!rangesMeet(P, Size, F.Place))
    return;
  uint64_t Width = F.Place.Size;
  int64_t Distance = P.Start - int64_t(F.Place.Start);
  uint64_t Rows = std::gcd(P.Stride, F.Place.Stride);
  if (Size == 1) { // characters
    int64_t In = modulo(Distance, std::gcd(P.Elements, F.Place.Stride));
    if (In < 0 || In >= int64_t(Width))
      return;
  }
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
  auto add = [&](FloatCut C) {
    if (!is_contained(Out, C))
      Out.push_back(C);
  };
  if (Rows != 0 && Found.size() > 1)
    return add({F.Type.floatType(), std::nullopt, all_of(Found, inside)});
  for (int64_t D : Found)
    add({F.Type.floatType(), D, inside(D)});
}

} // namespace

SmallVector<FloatCut, 2> floatsCutBy(const TypeInfo &Types,
                                     const DataLayout &DL, const Value *Ptr,
                                     uint64_t Size) {
  SmallVector<FloatCut, 2> Cuts;
  Place P{Ptr};
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    TypeTree Memory = Types.treeOf(P.Base).pointeeAt(0);
    for (const TypeFact &F : Memory.facts())
      if (F.Type.isFloat())
        cutsOf(P, Size, F, Cuts);
    if (auto *GEP = dyn_cast<GEPOperator>(P.Base))
      P.walk(*GEP, DL);
    else if (auto *Phi = dyn_cast<PHINode>(P.Base);
             !Phi || !walkPhi(*Phi, P, DL))
      break;
  }
  return Cuts;
}

} // namespace adze
