// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/Layout.h"
#include "Analysis/Type/TypeFacts.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace adze;

bool BlockLayout::has(ConcreteType::Kind K) const {
  for (const TypedRange &R : Ranges)
    if (R.Type.kind() == K)
      return true;
  return false;
}

namespace {

/// Blocks up to this size are resolved byte by byte.
constexpr uint64_t MaxMap = 1u << 14;
constexpr uint64_t MaxPeriod = 4096;

/// What one byte holds: a type, and where the scalar begins that it is part
/// of (its own offset for types made of bytes).
struct ByteType {
  ConcreteType Type;
  uint64_t Begin = 0;
};

/// One element of a fact.
struct Element {
  uint64_t Begin, End;
  ConcreteType Type;
  bool Bad = false;
};

/// Higher is believed first. A declared float or pointer beats the guess that
/// what takes part in arithmetic is an integer; what was declared of this place
/// beats what was declared of an earlier one (a pointer to double need not
/// point to an array of them).
unsigned rankOf(const TypeFact &F, bool First) {
  bool Here = First || !F.Place.isUnbounded();
  if (F.Type.kind() == ConcreteType::Anything)
    return 0;
  if (F.Sure == Certainty::Hint)
    return (Here ? 3 : 1) + unsigned(!F.Type.isInteger());
  return F.Sure == Certainty::Definite && Here ? 6 : 5;
}
constexpr unsigned TopRank = 6;

class ByteMap {
public:
  ByteMap(const TypeTree &Tree, uint64_t Size, Doubt Settle)
      : Bytes(Size), Taken(Size) {
    for (int Rank = TopRank; Rank >= 0; --Rank)
      place(Tree, unsigned(Rank));
    if (Settle == Doubt::FloatWins)
      replaceNumbers(Tree);
  }

  ArrayRef<ByteType> bytes() const { return Bytes; }

private:
  void place(const TypeTree &Tree, unsigned Rank) {
    // Floats come before the numbers that they replace.
    std::vector<Element> Elements;
    for (bool Whole : {true, false})
      for (const TypeFact &F : Tree.facts())
        if (isWhole(F.Type) == Whole)
          collect(F, Rank, Elements);
    markBad(Elements, Rank);
    for (const Element &E : Elements)
      write(E);
  }

  void collect(const TypeFact &F, unsigned Rank, std::vector<Element> &Out) {
    const TypePlace &P = F.Place;
    for (uint64_t I = 0; I != P.Count; ++I) {
      uint64_t Begin = P.Start + I * P.Stride;
      if (Begin >= Bytes.size())
        break;
      if (I > 1 && rankOf(F, /*First=*/false) != Rank)
        break;
      if (rankOf(F, I == 0) != Rank)
        continue;
      uint64_t End = std::min<uint64_t>(Begin + P.Size, Bytes.size());
      if (isWhole(F.Type) && End != Begin + P.Size)
        continue;
      Out.push_back({Begin, End, F.Type});
    }
  }

  /// Elements of one rank that overlap and do not agree are all bad. (An
  /// integer that is used as an address is a pointer, unless it is a number for
  /// sure.)
  void markBad(std::vector<Element> &Elements, unsigned Rank) {
    std::vector<int> Owner(Bytes.size(), -1);
    for (int I = 0; I != int(Elements.size()); ++I) {
      Element &E = Elements[I];
      for (uint64_t B = E.Begin; B != E.End; ++B) {
        if (Owner[B] < 0) {
          Owner[B] = I;
          continue;
        }
        Element &O = Elements[Owner[B]];
        if (O.Type == E.Type && (!isWhole(E.Type) || O.Begin == E.Begin))
          continue;
        if (O.Type.isFloat() && E.Type.isInteger())
          continue;
        if (O.Type.isPointer() && E.Type.isInteger() && Rank < TopRank)
          continue;
        O.Bad = E.Bad = true;
      }
    }
  }

  /// Floats of any certainty but hints, where there are only numbers so far.
  void replaceNumbers(const TypeTree &Tree) {
    std::vector<Element> Elements;
    for (const TypeFact &F : Tree.facts())
      for (unsigned Rank : {TopRank - 1, TopRank})
        if (F.Type.isFloat())
          collect(F, Rank, Elements);
    markBad(Elements, TopRank);
    for (const Element &E : Elements) {
      bool Numbers = false, Others = false;
      for (uint64_t B = E.Begin; B != E.End; ++B) {
        bool Same = Bytes[B].Type == E.Type && Bytes[B].Begin == E.Begin;
        Numbers |= Bytes[B].Type.isInteger();
        Others |= Taken[B] && !Same && !Bytes[B].Type.isInteger() &&
                  Bytes[B].Type.kind() != ConcreteType::Anything;
      }
      for (uint64_t B = E.Begin; Numbers && !Others && B != E.End; ++B) {
        Taken[B] = true;
        Bytes[B].Type = E.Bad ? ConcreteType() : E.Type;
        Bytes[B].Begin = E.Bad ? B : E.Begin;
      }
    }
  }

  void write(const Element &E) {
    bool Free = true;
    for (uint64_t B = E.Begin; B != E.End; ++B)
      Free &= !Taken[B] || (Bytes[B].Type == E.Type && !E.Bad);
    if (!Free && isWhole(E.Type) && !E.Bad)
      return;
    for (uint64_t B = E.Begin; B != E.End; ++B) {
      if (Taken[B]) // by what is surer
        continue;
      Taken[B] = true;
      Bytes[B].Type = E.Bad ? ConcreteType() : E.Type;
      Bytes[B].Begin = isWhole(E.Type) ? E.Begin : B;
    }
  }

  std::vector<ByteType> Bytes;
  std::vector<bool> Taken;
};

/// Byte \p B + \p Period holds the same part of the same type as byte \p B.
bool repeats(ArrayRef<ByteType> Bytes, uint64_t Period) {
  for (uint64_t B = 0; B + Period < Bytes.size(); ++B) {
    const ByteType &X = Bytes[B], &Y = Bytes[B + Period];
    if (X.Type != Y.Type || (X.Type.isKnown() && Y.Begin - X.Begin != Period))
      return false;
  }
  return true;
}

/// A scalar that begins before \p Period ends within it.
bool closesAt(ArrayRef<ByteType> Bytes, uint64_t Period) {
  return Period >= Bytes.size() || !isWhole(Bytes[Period].Type) ||
         Bytes[Period].Begin >= Period;
}

void toRanges(ArrayRef<ByteType> Bytes, SmallVectorImpl<TypedRange> &Out) {
  for (uint64_t B = 0; B != Bytes.size(); ++B) {
    if (!Out.empty() && Out.back().Type == Bytes[B].Type)
      Out.back().End = B + 1;
    else
      Out.push_back({B, B + 1, Bytes[B].Type});
  }
}

/// All periods that may explain the tree, ascending.
SmallVector<uint64_t, 8> candidatePeriods(const TypeTree &Tree) {
  SmallVector<uint64_t, 8> P;
  uint64_t Lcm = 1;
  for (const TypeFact &F : Tree.facts()) {
    if (isWhole(F.Type))
      P.push_back(F.Place.Size);
    if (F.Place.isSingle())
      continue;
    P.push_back(F.Place.Stride);
    uint64_t New = std::lcm(Lcm, F.Place.Stride);
    Lcm = New <= MaxPeriod ? New : Lcm;
  }
  P.push_back(1);
  P.push_back(Lcm);
  std::sort(P.begin(), P.end());
  P.erase(std::unique(P.begin(), P.end()), P.end());
  return P;
}

} // namespace

TypeTree adze::openEnded(const TypeTree &Tree, uint64_t Bytes) {
  if (Bytes == TypePlace::Unbounded)
    return Tree;
  TypeTreeBuilder B;
  for (TypeFact F : Tree.facts()) {
    TypePlace &P = F.Place;
    if (!P.isSingle() && !P.isUnbounded() && P.end() + P.Stride > Bytes)
      P.Count = TypePlace::Unbounded;
    B.add(std::move(F));
  }
  return B.take();
}

/// A block too large for a byte map: the pattern behind every bounded fact is
/// found in a window, and continued to the end.
static BlockLayout layoutOfLarge(const TypeTree &Original, uint64_t Bytes,
                                 Doubt Settle) {
  TypeTree Tree = openEnded(Original, Bytes);
  SmallVector<uint64_t, 8> Periods = candidatePeriods(Tree);
  uint64_t Longest = Periods.back();
  uint64_t Irregular = 0; // behind it only unbounded facts hold
  for (const TypeFact &F : Tree.facts())
    Irregular = std::max(Irregular,
                         F.Place.isUnbounded() ? F.Place.Start : F.Place.end());
  BlockLayout L;
  uint64_t Window = std::min(Bytes, std::min(Irregular, MaxMap) + 3 * Longest);
  ByteMap Map(Tree, Window, Settle);
  ArrayRef<ByteType> All = Map.bytes();
  bool Known = Irregular <= MaxMap;
  for (uint64_t P : Periods) {
    bool Fits = Bytes == TypePlace::Unbounded || Bytes % P == 0;
    if (!Known || !Fits || P >= Window || !closesAt(All, P))
      continue;
    // Cut at a multiple of the period: the window's end cuts scalars.
    if (!repeats(All.take_front(Window - Window % P), P))
      continue;
    L.Period = P;
    toRanges(All.take_front(P), L.Ranges);
    return L;
  }
  // No repetition: the window as it is, then one type to the end if what
  // follows the irregular part is uniform.
  L.Period = Bytes;
  uint64_t Shown = std::min(Irregular + Longest, Window);
  while (Shown && isWhole(All[Shown - 1].Type) && Shown < Window &&
         All[Shown].Begin == All[Shown - 1].Begin)
    --Shown;
  toRanges(All.take_front(Shown), L.Ranges);
  ArrayRef<ByteType> Tail = All.drop_front(std::min(Irregular, Window));
  bool Uniform = Known && !Tail.empty() && !L.Ranges.empty();
  for (const ByteType &B : Tail.drop_back(std::min<uint64_t>(16, Tail.size())))
    Uniform &= B.Type == L.Ranges.back().Type;
  if (Uniform)
    L.Ranges.back().End = Bytes;
  else
    L.Ranges.push_back({Shown, Bytes, ConcreteType()});
  return L;
}

BlockLayout adze::layoutOf(const TypeTree &Tree, uint64_t Bytes, Doubt Settle) {
  BlockLayout L;
  if (Bytes == 0)
    return L;
  if (Tree.isUnknown()) {
    L.Ranges.push_back({0, 1, ConcreteType()});
    return L;
  }
  if (Bytes > MaxMap)
    return layoutOfLarge(Tree, Bytes, Settle);
  ByteMap Map(Tree, Bytes, Settle);
  ArrayRef<ByteType> All = Map.bytes();
  L.Period = Bytes;
  for (uint64_t P : candidatePeriods(Tree))
    if (P < Bytes && Bytes % P == 0 && closesAt(All, P) && repeats(All, P)) {
      L.Period = P;
      break;
    }
  toRanges(All.take_front(L.Period), L.Ranges);
  return L;
}
