// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How facts of one list stand to each other: their order, what one of them says
// of a place within its own, and which can be found by where they start.
#ifndef ADZE_LIB_ANALYSIS_TYPE_TYPEFACTS_H
#define ADZE_LIB_ANALYSIS_TYPE_TYPEFACTS_H

#include "adze/TypeTree.h"
#include <algorithm>

namespace adze {

/// No scalar that a fact describes is larger.
inline constexpr uint64_t MaxScalar = 16;

/// Sorted by place first, so that neighbours in memory are neighbours here.
inline bool keyLess(const TypeFact &A, const TypeFact &B) {
  const TypePlace &P = A.Place, &Q = B.Place;
  if (P.Start != Q.Start)
    return P.Start < Q.Start;
  if (P.Stride != Q.Stride)
    return P.Stride < Q.Stride;
  if (P.Count != Q.Count)
    return P.Count < Q.Count;
  if (P.Size != Q.Size)
    return P.Size < Q.Size;
  return A.Type < B.Type;
}

/// Joins certainty and pointee of \p B into \p A. The surer fact's witness is
/// kept, so that a conflict names the strongest reason.
inline bool joinValue(TypeFact &A, const TypeFact &B) {
  bool Changed = false;
  if (B.Sure > A.Sure) {
    A.Sure = B.Sure;
    A.Witness = B.Witness;
    Changed = true;
  }
  return A.Pointee.join(B.Pointee) || Changed;
}

/// Not found by looking around its start.
inline bool isWide(const TypePlace &P) {
  return !P.isSingle() || P.Size > MaxScalar;
}

/// Facts of a sorted list that contain \p P and are not wide are among these:
/// they end within MaxScalar bytes of their start.
inline llvm::ArrayRef<TypeFact> nearOf(llvm::ArrayRef<TypeFact> List,
                                       const TypePlace &P) {
  uint64_t First = P.Start < MaxScalar ? 0 : P.Start - MaxScalar + 1;
  const TypeFact *Begin =
      std::partition_point(List.begin(), List.end(), [&](const TypeFact &F) {
        return F.Place.Start < First;
      });
  const TypeFact *End =
      std::partition_point(Begin, List.end(), [&](const TypeFact &F) {
        return F.Place.Start <= P.Start;
      });
  return llvm::ArrayRef<TypeFact>(Begin, End);
}

/// Only the first element of an unbounded progression was seen; the others are
/// extrapolated. Whether \p Q says that of the place \p P that it contains.
inline bool isExtrapolated(const TypeFact &Q, const TypePlace &P) {
  bool InFirst = P.Start + P.Size <= Q.Place.Start + Q.Place.Size &&
                 (P.isSingle() || P.isUnbounded());
  return Q.Place.isUnbounded() && !InFirst;
}

inline Certainty sureAt(const TypeFact &Q, const TypePlace &P) {
  return isExtrapolated(Q, P) ? std::min(Q.Sure, Certainty::Indirect) : Q.Sure;
}

/// What \p Q says of the place \p P that it contains.
inline TypeFact restrictedTo(const TypeFact &Q, const TypePlace &P) {
  TypeFact R = Q;
  R.Sure = sureAt(Q, P);
  if (isExtrapolated(Q, P))
    R.Pointee = R.Pointee.demoted(Certainty::Indirect);
  return R;
}

/// Whether elements of this type must coincide to be the same fact: floats
/// and pointers are whole, integers and Anything are made of bytes.
inline bool isWhole(ConcreteType T) { return T.isFloat() || T.isPointer(); }

/// \p T without numbers that would fill all memory if they were repeated every
/// \p Stride bytes. A word that is a number says nothing of the words beside
/// it: a length may stand before the bits of floats.
TypeTree withoutWords(const TypeTree &T, uint64_t Stride);

} // namespace adze
#endif
