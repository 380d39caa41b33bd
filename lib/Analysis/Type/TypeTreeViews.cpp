// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of trees between addresses: what a fact about one address says about
// another one that is some bytes further on, by a constant, by any multiple
// of a stride, or by a loop's step.
#include "Analysis/Type/TypeFacts.h"
#include "Analysis/Type/TypeTreeBuilder.h"
#include "adze/TypeTree.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace adze;

/// What a progression says of its second and later elements is extrapolated.
static void extrapolate(TypeFact &F) {
  F.Sure = std::min(F.Sure, Certainty::Indirect);
  F.Pointee = F.Pointee.demoted(Certainty::Indirect);
}

/// Moves \p F by \p Back towards 0 and adds what is left at or behind 0. What
/// is made of bytes may be cut anywhere, what is whole only between elements.
static void moveFact(TypeFact F, uint64_t Back, TypeTreeBuilder &Out) {
  TypePlace &P = F.Place;
  if (P.Start >= Back) {
    P.Start -= Back;
    Out.add(std::move(F));
    return;
  }
  uint64_t Missing = Back - P.Start; // bytes of the place before 0
  // The element that 0 cuts in two.
  uint64_t Cut = P.isSingle() ? 0 : Missing / P.Stride;
  uint64_t Into = Missing - Cut * P.Stride;
  bool Later = Cut > 0 && P.isUnbounded();
  if (Later)
    extrapolate(F);
  if (!isWhole(F.Type) && Into < P.Size && Cut < P.Count) {
    TypeFact Part = F;
    Part.Place = TypePlace();
    Part.Place.Size = P.Size - Into;
    Out.add(std::move(Part));
  }
  uint64_t Lost = Into == 0 ? Cut : Cut + 1;
  if (Lost >= P.Count)
    return;
  if (P.isUnbounded()) {
    if (Lost > 0 && !Later)
      extrapolate(F);
  } else {
    P.Count -= Lost;
  }
  P.Start = Lost * P.Stride - Missing;
  Out.add(std::move(F));
}

TypeTree TypeTree::shifted(int64_t Delta) const {
  if (Delta == 0 || isUnknown())
    return *this;
  // What moves as it is implies as little as before.
  uint64_t Back = Delta < 0 ? uint64_t(0) - uint64_t(Delta) : 0;
  std::vector<TypeFact> Whole;
  TypeTreeBuilder Cut;
  for (const TypeFact &F : facts()) {
    if (F.Place.Start < Back) {
      moveFact(F, Back, Cut);
    } else if (F.Place.Start + uint64_t(Delta) < MaxOffset) {
      Whole.push_back(F);
      Whole.back().Place.Start += uint64_t(Delta);
    }
  }
  return Cut.takeWith(TypeTree(std::move(Whole)));
}

/// Adds what \p F says of the first \p Size bytes.
static void cutFact(TypeFact F, uint64_t Size, TypeTreeBuilder &Out) {
  TypePlace &P = F.Place;
  if (P.Start >= Size)
    return;
  uint64_t Room = Size - P.Start;
  if (P.isSingle()) {
    if (P.Size > Room && isWhole(F.Type))
      return;
    P.Size = std::min(P.Size, Room);
    Out.add(std::move(F));
    return;
  }
  // Of an unbounded progression only the first element was seen for certain.
  uint64_t Fit = Room < P.Size ? 0 : (Room - P.Size) / P.Stride + 1;
  uint64_t Count = std::min(P.Count, Fit);
  if (P.isUnbounded()) {
    TypeFact First = F;
    First.Place.Count = 1;
    if (Fit > 0 || !isWhole(F.Type)) {
      First.Place.Size = std::min(P.Size, Room);
      Out.add(std::move(First));
    }
    extrapolate(F);
  }
  uint64_t Behind = Count * P.Stride; // the element that the end cuts
  if (!isWhole(F.Type) && Count < P.Count && Behind < Room) {
    TypeFact Part = F;
    Part.Place = TypePlace();
    Part.Place.Start = P.Start + Behind;
    Part.Place.Size = std::min(P.Size, Room - Behind);
    Out.add(std::move(Part));
  }
  P.Count = Count;
  Out.add(std::move(F));
}

TypeTree TypeTree::slice(uint64_t Begin, uint64_t Size) const {
  if (Size == TypePlace::Unbounded)
    return shifted(-int64_t(Begin));
  // Most of what is sliced is a small part of a large tree.
  TypeTreeBuilder Moved, B;
  for (const TypeFact &F : facts())
    if (F.Place.Start < Begin + Size && F.Place.end() > Begin)
      moveFact(F, Begin, Moved);
  for (const TypeFact &F : Moved.facts())
    cutFact(F, Size, B);
  return B.take();
}

TypeTree TypeTree::without(uint64_t Begin, uint64_t End) const {
  constexpr uint64_t MaxElements = 64;
  TypeTreeBuilder B;
  for (const TypeFact &F : facts()) {
    const TypePlace &P = F.Place;
    if (P.Start >= End || P.end() <= Begin) {
      B.add(F);
      continue;
    }
    if (P.Count > MaxElements)
      continue;
    TypeFact One = F;
    One.Place.Count = 1;
    for (uint64_t I = 0; I != P.Count; ++I) {
      One.Place.Start = P.Start + I * P.Stride;
      if (One.Place.Start >= End || One.Place.Start + P.Size <= Begin)
        B.add(One);
    }
  }
  return B.take();
}

TypeTree TypeTree::prefix(uint64_t MinBytes) const {
  TypeTreeBuilder B;
  for (const TypeFact &F : facts()) {
    const TypePlace &P = F.Place;
    // A copy of at least one byte moves a whole scalar at 0: nobody moves the
    // first half of one.
    if (P.isUnbounded() || P.Start == 0 || P.end() <= MinBytes) {
      B.add(F);
      continue;
    }
    if (P.isSingle())
      continue;
    TypeFact First = F;
    First.Place.Count = 1;
    if (First.Place.end() <= MinBytes)
      B.add(std::move(First));
  }
  return B.take();
}

/// The end of all that \p Facts say something of.
static uint64_t endOf(ArrayRef<TypeFact> Facts) {
  uint64_t End = 0;
  for (const TypeFact &F : Facts)
    End = std::max(End, F.Place.isUnbounded() ? TypePlace::Unbounded
                                              : F.Place.end());
  return End;
}

/// Whether \p F is padding, in facts that end at \p End, of which nobody knows
/// that it is padding \p Step bytes further on as well: padding lies between
/// the members of one object, so it repeats with whole objects only.
static bool isLostBy(const TypeFact &F, uint64_t Step, uint64_t End) {
  if (F.Type.kind() != ConcreteType::Anything || Step == 0)
    return false;
  return F.Place.isUnbounded() ? Step % F.Place.Stride != 0 : End > Step;
}

/// Repeats one place along one dimension: a few places that cover exactly
/// the repetition, or a coarser progression if that would take too many.
static void repeatPlace(const TypePlace &P, const Dimension &D,
                        SmallVectorImpl<TypePlace> &Out) {
  constexpr uint64_t MaxElements = 32;
  TypePlace R = P;
  if (D.Count <= 1 || D.Stride == 0) {
    Out.push_back(P);
    return;
  }
  if (D.Stride < P.Size)
    return; // a byte distance of which nothing more is known
  if (P.isSingle()) {
    R.Stride = D.Stride;
    R.Count = D.Count;
    Out.push_back(R);
    return;
  }
  bool Dense = !P.isUnbounded() && P.Count * P.Stride == D.Stride;
  if (Dense) {
    R.Count = D.Count == TypePlace::Unbounded ? D.Count : P.Count * D.Count;
    Out.push_back(R);
    return;
  }
  if (!P.isUnbounded() && P.Count <= MaxElements) {
    for (uint64_t I = 0; I != P.Count; ++I) {
      R.Start = P.Start + I * P.Stride;
      R.Stride = D.Stride;
      R.Count = D.Count;
      Out.push_back(R);
    }
    return;
  }
  if (D.Count <= MaxElements) {
    for (uint64_t I = 0; I != D.Count; ++I, R.Start += D.Stride)
      Out.push_back(R);
    return;
  }
  R.Stride = std::gcd(P.Stride, D.Stride);
  R.Count = TypePlace::Unbounded;
  Out.push_back(R);
}

TypeTree TypeTree::repeated(ArrayRef<Dimension> Dims) const {
  TypeTreeBuilder B;
  uint64_t End = endOf(facts());
  for (const TypeFact &F : facts()) {
    if (any_of(Dims, [&](const Dimension &D) {
          return D.Count > 1 && isLostBy(F, D.Stride, End);
        }))
      continue;
    SmallVector<TypePlace, 8> Places(1, F.Place), Next;
    // The innermost dimension comes last in an address.
    for (const Dimension &D : reverse(Dims)) {
      Next.clear();
      for (const TypePlace &P : Places)
        repeatPlace(P, D, Next);
      Places = Next;
      if (Places.size() > 256)
        Places.resize(256);
    }
    for (const TypePlace &P : Places) {
      TypeFact R = F;
      R.Place = P;
      B.add(std::move(R));
    }
  }
  return B.take();
}

/// Type \p T stands at every element of \p P.
static bool covers(ArrayRef<TypeFact> Facts, const TypePlace &P,
                   ConcreteType T) {
  for (const TypeFact &F : Facts)
    if (F.Type == T && F.Place.contains(P, isWhole(T)))
      return true;
  if (P.isSingle() || P.Count > 64)
    return false;
  TypePlace One = P;
  One.Count = 1;
  One.Stride = 0;
  for (uint64_t I = 0; I != P.Count; ++I, One.Start += P.Stride)
    if (!covers(Facts, One, T))
      return false;
  return true;
}

/// Every multiple of \p Step from \p P on holds \p T, as far as facts say
/// anything: a progression may be put together from several, or end with the
/// object.
static bool coversForever(ArrayRef<TypeFact> Facts, const TypeFact &F,
                          uint64_t Step) {
  const TypePlace &P = F.Place;
  if (P.isUnbounded()) {
    if (Step % P.Stride == 0)
      return true;
    // Several interleaved progressions: one round of all of them.
    uint64_t Gcd = std::gcd(Step, P.Stride);
    if (P.Stride / Gcd > 64)
      return false;
    TypePlace Q = P;
    for (uint64_t I = 1; I != P.Stride / Gcd; ++I) {
      Q.Start = P.Start + I * Gcd;
      if (!covers(Facts, Q, F.Type))
        return false;
    }
    return true;
  }
  if (P.isSingle() || Step % P.Stride != 0)
    return false;
  // A bounded array that nothing follows: the address stays inside it.
  for (const TypeFact &G : Facts)
    if (G.Type != F.Type && G.Type.kind() != ConcreteType::Anything &&
        (G.Place.isUnbounded() || G.Place.end() > P.Start + Step))
      return false;
  return true;
}

TypeTree TypeTree::invariant(ArrayRef<Dimension> Dims) const {
  ArrayRef<TypeFact> All = facts();
  TypeTreeBuilder B;
  for (TypeFact F : All) {
    bool Holds = true;
    for (const Dimension &D : Dims) {
      if (D.Count <= 1 || D.Stride == 0)
        continue;
      if (D.Count == TypePlace::Unbounded) {
        Holds = coversForever(All, F, D.Stride);
      } else {
        TypePlace P;
        P.Start = F.Place.Start;
        P.Size = F.Place.Size;
        P.Stride = D.Stride;
        P.Count = D.Count;
        Holds = covers(All, P, F.Type);
      }
      if (!Holds)
        break;
    }
    if (!Holds)
      continue;
    if (!F.Place.isUnbounded() && !F.Place.isSingle())
      F.Place.Count = 1; // how much of the array is left is not known
    B.add(std::move(F));
  }
  return B.take();
}

TypeTree adze::withoutWords(const TypeTree &T, uint64_t Stride) {
  // An array without end, of numbers that lie one beside the other, fills it by
  // itself.
  auto fills = [&](const TypeFact &F) {
    const TypePlace &P = F.Place;
    if (!F.Type.isInteger() || (P.isUnbounded() && P.Size >= P.Stride))
      return false;
    return P.Size >= (P.isSingle() ? Stride : std::gcd(P.Stride, Stride));
  };
  if (none_of(T.facts(), fills))
    return T;
  TypeTreeBuilder B;
  for (const TypeFact &F : T.facts())
    if (!fills(F))
      B.add(F);
  return B.take();
}

TypeTree TypeTree::folded(uint64_t Period) const {
  if (Period == 0)
    return *this;
  TypeTreeBuilder B;
  uint64_t End = endOf(facts());
  for (TypeFact F : facts()) {
    if (isLostBy(F, Period, End))
      continue;
    TypePlace &P = F.Place;
    P.Stride = P.isSingle() ? Period : std::gcd(P.Stride, Period);
    P.Count = TypePlace::Unbounded;
    P.Start %= P.Stride;
    B.add(std::move(F));
  }
  return B.take();
}

TypeTree TypeTree::everywhere(uint64_t Period) const {
  TypeTreeBuilder B;
  for (const TypeFact &F : facts()) {
    const TypePlace &P = F.Place;
    if (P.Start < (P.isSingle() ? Period : std::gcd(P.Stride, Period)))
      B.add(F);
  }
  return B.take().folded(Period);
}

TypeTree TypeTree::rotated(int64_t Delta) const {
  TypeTreeBuilder B;
  for (TypeFact F : facts()) {
    TypePlace &P = F.Place;
    if (P.Stride) {
      int64_t S = int64_t(P.Stride);
      int64_t At = (int64_t(P.Start) - Delta) % S;
      P.Start = uint64_t(At < 0 ? At + S : At);
    }
    B.add(std::move(F));
  }
  return B.take();
}

TypeTree TypeTree::dropping(ConcreteType::Kind K) const {
  bool Needed = false;
  for (const TypeFact &F : facts())
    Needed |= F.Type.kind() == K;
  if (!Needed)
    return *this;
  TypeTreeBuilder B;
  for (const TypeFact &F : facts())
    if (F.Type.kind() != K)
      B.add(F);
  return B.take();
}

TypeTree TypeTree::only(ConcreteType::Kind K) const {
  TypeTreeBuilder B;
  for (const TypeFact &F : facts())
    if (F.Type.kind() == K)
      B.add(F);
  return B.take();
}

/// What was seen right behind \p Row is something else: the row is complete, as
/// members of an object are.
static bool endsWithin(ArrayRef<const TypeFact *> Row,
                       ArrayRef<TypeFact> Facts) {
  const TypePlace &Last = Row.back()->Place;
  const uint64_t Next =
      Last.Start + (Last.Start - Row[Row.size() - 2]->Place.Start);
  return any_of(Facts, [&](const TypeFact &F) {
    return F.Sure == Certainty::Definite && F.Type != Row.back()->Type &&
           F.Type.kind() != ConcreteType::Anything &&
           F.Place.Start < Next + Last.Size &&
           F.Place.Start + F.Place.Size > Next;
  });
}

/// The progression that \p Row, facts at rising places, begins; false if it is
/// none.
static bool progressionOf(ArrayRef<const TypeFact *> Row, TypeFact &Out) {
  constexpr size_t MinRow = 8;
  if (Row.size() < MinRow)
    return false;
  Out = *Row[0];
  Out.Sure = std::min(Out.Sure, Certainty::Indirect);
  Out.Place.Stride = Row[1]->Place.Start - Row[0]->Place.Start;
  // See withoutWords(). Rows of large numbers have to end somewhere, though:
  // where code walks on, each step would add one.
  constexpr uint64_t LargeNumber = 8;
  if (Out.Type.isInteger() && Out.Place.Size >= Out.Place.Stride &&
      Out.Place.Size < LargeNumber)
    return false;
  Out.Place.Count = TypePlace::Unbounded;
  bool Leads = false;
  for (const TypeFact *F : Row) {
    Out.Sure = std::min(Out.Sure, F->Sure);
    Out.Pointee = TypeTree::meet(Out.Pointee, F->Pointee);
    Leads |= !F->Pointee.isUnknown();
  }
  // Pointers to different things are members of one object.
  if (Leads && Out.Pointee.isUnknown())
    return false;
  Out.Pointee = Out.Pointee.demoted(Certainty::Indirect);
  return true;
}

TypeTree TypeTree::widened() const {
  TypeTreeBuilder B;
  std::vector<TypeFact> Singles;
  for (TypeFact F : facts()) {
    F.Pointee = F.Pointee.widened();
    if (F.Place.isSingle())
      Singles.push_back(F);
    B.add(std::move(F));
  }
  std::sort(Singles.begin(), Singles.end(),
            [](const TypeFact &X, const TypeFact &Y) {
              if (X.Type != Y.Type)
                return X.Type < Y.Type;
              return std::tie(X.Place.Size, X.Place.Start) <
                     std::tie(Y.Place.Size, Y.Place.Start);
            });
  SmallVector<const TypeFact *, 16> Row;
  TypeFact Progression;
  auto Close = [&] {
    if (progressionOf(Row, Progression) && !endsWithin(Row, facts()))
      B.add(Progression);
  };
  for (const TypeFact &F : Singles) {
    bool Fits = !Row.empty() && Row.back()->Type == F.Type &&
                Row.back()->Place.Size == F.Place.Size;
    if (Fits && Row.size() > 1)
      Fits = F.Place.Start - Row.back()->Place.Start ==
             Row[1]->Place.Start - Row[0]->Place.Start;
    if (!Fits) {
      Close();
      // The last one may begin another row with this one.
      bool Like = !Row.empty() && Row.back()->Type == F.Type &&
                  Row.back()->Place.Size == F.Place.Size;
      if (Like)
        Row.assign(1, Row.back());
      else
        Row.clear();
    }
    Row.push_back(&F);
  }
  Close();
  return B.take();
}

TypeTree TypeTree::pointeeAt(uint64_t Offset) const {
  TypeTree Sum;
  for (const TypeFact &F : facts()) {
    TypePlace At;
    At.Start = Offset;
    At.Size = F.Place.Size;
    if (!F.Type.isPointer() || !F.Place.contains(At, /*Exact=*/true))
      continue;
    bool First = F.Place.Start == Offset || !F.Place.isUnbounded();
    Sum.join(First ? F.Pointee : F.Pointee.demoted(Certainty::Indirect));
  }
  return Sum;
}

TypeTree TypeTree::behindPointer(uint64_t Size, const Value *Witness) const {
  return at(0, Size, ConcreteType::Pointer, Certainty::Definite, Witness,
            *this);
}

/// Positions at which a fact is certain, and whether two such facts exclude
/// each other there.
static bool exclude(const TypeFact &A, const TypeFact &B) {
  if (A.Sure != Certainty::Definite || B.Sure != Certainty::Definite)
    return false;
  if (A.Type.kind() == ConcreteType::Anything ||
      B.Type.kind() == ConcreteType::Anything)
    return false;
  if (A.Type == B.Type && !isWhole(A.Type))
    return false;
  // An unbounded progression is certain of its first element only.
  uint64_t CountA = A.Place.isUnbounded() ? 1 : A.Place.Count;
  uint64_t CountB = B.Place.isUnbounded() ? 1 : B.Place.Count;
  const TypePlace &P = A.Place, &Q = B.Place;
  if (CountA > CountB)
    return exclude(B, A);
  uint64_t Limit = std::min<uint64_t>(CountA, 256);
  for (uint64_t I = 0; I != Limit; ++I) {
    uint64_t Begin = P.Start + I * P.Stride, End = Begin + P.Size;
    // The elements of B around Begin.
    uint64_t First = 0;
    if (CountB > 1 && Begin > Q.Start + Q.Size)
      First = (Begin - Q.Start - Q.Size) / Q.Stride;
    for (uint64_t J = First; J < CountB && J < First + 4; ++J) {
      uint64_t Other = Q.Start + J * Q.Stride;
      bool Overlap = Other < End && Begin < Other + Q.Size;
      if (Overlap && !(A.Type == B.Type && Other == Begin))
        return true;
    }
  }
  return false;
}

static void collectConflicts(const TypeTree &T, SmallVectorImpl<uint64_t> &Path,
                             SmallVectorImpl<TypeTree::Conflict> &Out) {
  constexpr unsigned MaxConflicts = 64;
  ArrayRef<TypeFact> Facts = T.facts();
  for (size_t I = 0; I != Facts.size(); ++I) {
    if (Out.size() >= MaxConflicts)
      return;
    if (Facts[I].Sure == Certainty::Definite)
      for (size_t J = I + 1; J != Facts.size(); ++J) {
        // Sorted by start: nothing further on reaches back, if I has an end.
        if (Facts[J].Place.Start >= Facts[I].Place.end())
          break;
        if (exclude(Facts[I], Facts[J]))
          Out.push_back({{Path.begin(), Path.end()}, &Facts[I], &Facts[J]});
      }
    if (Facts[I].Pointee.isUnknown())
      continue;
    Path.push_back(Facts[I].Place.Start);
    collectConflicts(Facts[I].Pointee, Path, Out);
    Path.pop_back();
  }
}

void TypeTree::findConflicts(SmallVectorImpl<Conflict> &Out) const {
  SmallVector<uint64_t, 8> Path;
  collectConflicts(*this, Path, Out);
}
