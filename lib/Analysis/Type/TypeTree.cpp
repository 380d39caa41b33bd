// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lattice: facts, their order, join and meet.
#include "adze/TypeTree.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Type.h"
#include <algorithm>

using namespace llvm;
using namespace adze;

/// No scalar that a fact describes is larger.
static constexpr uint64_t MaxScalar = 16;

ConcreteType ConcreteType::floating(Type *Scalar) {
  ConcreteType T(Float);
  T.FloatTy = Scalar;
  return T;
}

bool ConcreteType::operator<(const ConcreteType &O) const {
  if (K != O.K)
    return K < O.K;
  return FloatTy && O.FloatTy && FloatTy->getTypeID() < O.FloatTy->getTypeID();
}

uint64_t TypePlace::end() const {
  if (isUnbounded())
    return Unbounded;
  return Start + (Count - 1) * Stride + Size;
}

bool TypePlace::contains(const TypePlace &P, bool Exact) const {
  if (P.Start < Start || (Exact && P.Size != Size))
    return false;
  uint64_t Off = P.Start - Start;
  if (!Exact && isUnbounded() && Stride == Size) {
    // All bytes from Start on. Of two such places with one start the one with
    // the larger elements is the larger: it was seen in more bytes.
    bool Same = P.isUnbounded() && P.Stride == P.Size && P.Start == Start;
    return !Same || P.Size <= Size;
  }
  if (isSingle()) {
    if (Exact)
      return Off == 0 && P.isSingle();
    return !P.isUnbounded() && P.end() <= end();
  }
  uint64_t Within = Off % Stride, First = Off / Stride;
  if (Within + P.Size > Size || (Exact && Within != 0))
    return false;
  if (P.isSingle())
    return First < Count;
  if (P.Stride % Stride != 0)
    return false;
  if (P.isUnbounded() || isUnbounded())
    return isUnbounded();
  return First + (P.Count - 1) * (P.Stride / Stride) < Count;
}

/// Sorted by place first, so that neighbours in memory are neighbours here.
static bool keyLess(const TypeFact &A, const TypeFact &B) {
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
static bool joinValue(TypeFact &A, const TypeFact &B) {
  bool Changed = false;
  if (B.Sure > A.Sure) {
    A.Sure = B.Sure;
    A.Witness = B.Witness;
    Changed = true;
  }
  return A.Pointee.join(B.Pointee) || Changed;
}

/// Not found by looking around its start.
static bool isWide(const TypePlace &P) {
  return !P.isSingle() || P.Size > MaxScalar;
}

/// Only the first element of an unbounded progression was seen; the others are
/// extrapolated. Whether \p Q says that of the place \p P that it contains.
static bool isExtrapolated(const TypeFact &Q, const TypePlace &P) {
  bool InFirst = P.Start + P.Size <= Q.Place.Start + Q.Place.Size &&
                 (P.isSingle() || P.isUnbounded());
  return Q.Place.isUnbounded() && !InFirst;
}

static Certainty sureAt(const TypeFact &Q, const TypePlace &P) {
  return isExtrapolated(Q, P) ? std::min(Q.Sure, Certainty::Indirect) : Q.Sure;
}

/// What \p Q says of the place \p P that it contains.
static TypeFact restrictedTo(const TypeFact &Q, const TypePlace &P) {
  TypeFact R = Q;
  R.Sure = sureAt(Q, P);
  if (isExtrapolated(Q, P))
    R.Pointee = R.Pointee.demoted(Certainty::Indirect);
  return R;
}

namespace {

/// Finds the facts of a sorted list whose places contain a given one.
class Containers {
public:
  explicit Containers(ArrayRef<TypeFact> List) : List(List) {
    for (unsigned I = 0; I != List.size(); ++I)
      if (isWide(List[I].Place))
        Wide.push_back(I);
  }

  /// Calls \p Use for every other fact that contains fact \p I and has its
  /// type, or any type if \p I is Anything.
  template <typename Fn> void forEach(unsigned I, Fn Use) const {
    const TypeFact &P = List[I];
    auto Visit = [&](unsigned J) {
      const TypeFact &Q = List[J];
      bool Any = P.Type.kind() == ConcreteType::Anything;
      if (J != I && (Any || Q.Type == P.Type) &&
          Q.Place.contains(P.Place, isWhole(P.Type)))
        Use(Q);
    };
    for (unsigned J : Wide) {
      if (List[J].Place.Start > P.Place.Start)
        break;
      Visit(J);
    }
    // What is not wide ends within MaxScalar bytes of its start.
    for (unsigned J = I; J-- > 0;) {
      if (List[J].Place.Start + MaxScalar <= P.Place.Start)
        break;
      if (!isWide(List[J].Place))
        Visit(J);
    }
    for (unsigned J = I + 1; J < List.size(); ++J) {
      if (List[J].Place.Start != P.Place.Start)
        break;
      if (!isWide(List[J].Place))
        Visit(J);
    }
  }

private:
  ArrayRef<TypeFact> List;
  SmallVector<unsigned, 8> Wide;
};

} // namespace

void TypeTreeBuilder::add(TypeFact F) {
  TypePlace &P = F.Place;
  if (!F.Type.isKnown() || P.Size == 0 || P.Count == 0 ||
      P.Start >= TypeTree::MaxOffset)
    return;
  if (P.Count == 1) {
    P.Stride = 0;
  } else if (isWhole(F.Type)) {
    if (P.Stride < P.Size)
      return; // elements that overlap themselves say nothing certain
  } else if (P.Stride <= P.Size) {
    // Bytes without gaps.
    P.Size = P.isUnbounded() ? P.Stride : P.end() - P.Start;
    P.Stride = P.isUnbounded() ? P.Stride : 0;
    P.Count = P.isUnbounded() ? P.Count : 1;
  }
  List.push_back(std::move(F));
}

void TypeTreeBuilder::add(const TypeTree &Tree) {
  for (const TypeFact &F : Tree.facts())
    List.push_back(F);
}

TypeTree TypeTreeBuilder::take() { return take(/*Outline=*/false); }

TypeTree TypeTreeBuilder::outline() { return take(/*Outline=*/true); }

TypeTree TypeTreeBuilder::take(bool Outline) {
  std::sort(List.begin(), List.end(), keyLess);
  std::vector<TypeFact> Unique;
  Unique.reserve(List.size());
  for (TypeFact &F : List) {
    if (!Unique.empty() && Unique.back().sameKey(F))
      joinValue(Unique.back(), F);
    else
      Unique.push_back(std::move(F));
  }
  List.clear();

  Containers In(Unique);
  std::vector<TypeFact> Kept;
  Kept.reserve(Unique.size());
  for (unsigned I = 0; I != Unique.size(); ++I) {
    TypeFact Larger;
    bool Found = false;
    In.forEach(I, [&](const TypeFact &Q) {
      Certainty Sure = Outline ? Q.Sure : sureAt(Q, Unique[I].Place);
      if (Outline && Sure == Certainty::Indirect)
        Sure = Certainty::Definite; // sure enough for a reader
      if (!Found || Sure > Larger.Sure) {
        Larger.Sure = Sure;
        Larger.Witness = Q.Witness;
      }
      Found = true;
      // Most facts are of numbers, and there are many pairs.
      if (!Q.Pointee.isUnknown())
        Larger.Pointee.join(Outline ? Q.Pointee
                                    : restrictedTo(Q, Unique[I].Place).Pointee);
    });
    bool IsAny = Unique[I].Type.kind() == ConcreteType::Anything;
    if (Found && (IsAny || (Unique[I].Sure <= Larger.Sure &&
                            Unique[I].Pointee.isImpliedBy(Larger.Pointee))))
      continue;
    Kept.push_back(Unique[I]);
    if (Found && !Outline)
      joinValue(Kept.back(), Larger);
  }
  return TypeTree(std::move(Kept));
}

struct TypeTree::Node {
  std::vector<TypeFact> List;
  unsigned Depth = 0;
  uint64_t Weight = 0;
  Certainty Surest = Certainty::Hint;
  /// This tree without its deepest level, once somebody asked for it: a tree
  /// of full depth is put behind pointers again and again.
  mutable TypeTree Shallower;
};

TypeTree::TypeTree(std::vector<TypeFact> List) {
  if (List.empty())
    return;
  auto New = std::make_shared<Node>();
  for (const TypeFact &F : List) {
    if (!F.Pointee.isUnknown())
      New->Depth = std::max(New->Depth, 1 + F.Pointee.depth());
    New->Weight += 1 + F.Pointee.weight();
    New->Surest = std::max({New->Surest, F.Sure, F.Pointee.surest()});
  }
  New->List = std::move(List);
  Facts = std::move(New);
}

TypeTree TypeTree::cut(unsigned MaxPointers) const {
  if (depth() <= MaxPointers)
    return *this;
  bool OneLevel = depth() == MaxPointers + 1;
  if (OneLevel && !Facts->Shallower.isUnknown())
    return Facts->Shallower;
  TypeTreeBuilder B;
  for (TypeFact F : facts()) {
    F.Pointee = MaxPointers ? F.Pointee.cut(MaxPointers - 1) : TypeTree();
    B.add(std::move(F));
  }
  TypeTree Result = B.take();
  if (OneLevel)
    Facts->Shallower = Result;
  return Result;
}

unsigned TypeTree::depth() const { return Facts ? Facts->Depth : 0; }

uint64_t TypeTree::weight() const { return Facts ? Facts->Weight : 0; }

TypeTree TypeTree::outline() const {
  TypeTreeBuilder B;
  for (TypeFact F : facts()) {
    F.Pointee = F.Pointee.outline();
    B.add(std::move(F));
  }
  return B.outline();
}

Certainty TypeTree::surest() const {
  return Facts ? Facts->Surest : Certainty::Hint;
}

TypeTree TypeTree::limited(uint64_t Weight) const {
  // Nested classes that refer to each other grow by a factor with each pointer,
  // and what lies behind three is found again where it is loaded.
  constexpr unsigned Near = 2;
  TypeTree T = *this;
  while (T.weight() > Weight / 4 && T.depth() > Near)
    T = T.cut(T.depth() - 1);
  while (T.weight() > Weight && T.depth() > 0)
    T = T.cut(T.depth() - 1);
  if (T.weight() <= Weight && T.facts().size() <= MaxProgressions)
    return T;
  std::vector<TypeFact> List(T.facts());
  unsigned Progressions = 0;
  erase_if(List, [&](const TypeFact &F) {
    return !F.Place.isSingle() && ++Progressions > MaxProgressions;
  });
  if (T.weight() > Weight && List.size() > Weight)
    List.resize(Weight);
  return TypeTree(std::move(List));
}

TypeTree TypeTree::of(TypePlace Place, ConcreteType T, Certainty C,
                      const Value *Witness, const TypeTree &Pointee) {
  TypeFact F;
  F.Place = Place;
  F.Type = T;
  // Anything is implied by all; a certainty would only make it look different.
  F.Sure = T.kind() == ConcreteType::Anything ? Certainty::Hint : C;
  F.Witness = Witness;
  if (T.isPointer())
    F.Pointee = Pointee.cut(MaxDepth - 1);
  TypeTreeBuilder B;
  B.add(std::move(F));
  return B.take();
}

TypeTree TypeTree::at(uint64_t Start, uint64_t Size, ConcreteType T,
                      Certainty C, const Value *Witness,
                      const TypeTree &Pointee) {
  TypePlace P;
  P.Start = Start;
  P.Size = Size;
  return of(P, T, C, Witness, Pointee);
}

ArrayRef<TypeFact> TypeTree::facts() const {
  return Facts ? ArrayRef<TypeFact>(Facts->List) : ArrayRef<TypeFact>();
}

bool TypeTree::operator==(const TypeTree &O) const {
  if (Facts == O.Facts)
    return true;
  ArrayRef<TypeFact> A = facts(), B = O.facts();
  if (A.size() != B.size() || weight() != O.weight())
    return false;
  for (size_t I = 0; I != A.size(); ++I)
    if (!A[I].sameKey(B[I]) || A[I].Sure != B[I].Sure ||
        A[I].Pointee != B[I].Pointee)
      return false;
  return true;
}

/// A cheap test that is enough in a fixpoint, where most joins bring nothing
/// new: every fact of \p O stands in \p T under the same key, no weaker. At all
/// depths: the full test, made at each level, would be made again by the
/// level above, and so on.
static bool standsIn(const TypeTree &O, const TypeTree &T) {
  ArrayRef<TypeFact> A = O.facts(), B = T.facts();
  if (A.data() == B.data())
    return true;
  size_t J = 0;
  for (const TypeFact &F : A) {
    while (J != B.size() && keyLess(B[J], F))
      ++J;
    if (J == B.size() || !B[J].sameKey(F) || B[J].Sure < F.Sure ||
        !standsIn(F.Pointee, B[J].Pointee))
      return false;
  }
  return true;
}

/// Another such test, for the few bytes of an access: a fact of \p T contains
/// each fact of \p O and is no weaker there. What \p O's fact contains in turn,
/// that fact contains as well, and \p T knows what follows from it.
static bool isPartOf(const TypeTree &O, const TypeTree &T) {
  constexpr size_t MaxFacts = 4;
  if (O.facts().size() > MaxFacts)
    return false;
  return all_of(O.facts(), [&](const TypeFact &F) {
    return any_of(T.facts(), [&](const TypeFact &G) {
      if (G.Type != F.Type || G.Place.Start > F.Place.Start ||
          !G.Place.contains(F.Place, isWhole(F.Type)))
        return false;
      TypeFact Here = restrictedTo(G, F.Place);
      return F.Sure <= Here.Sure && standsIn(F.Pointee, Here.Pointee);
    });
  });
}

bool TypeTree::join(const TypeTree &O) {
  if (!O.Facts || Facts == O.Facts)
    return false;
  if (!Facts) {
    Facts = O.Facts;
    return true;
  }
  if (standsIn(O, *this) || isPartOf(O, *this))
    return false;
  TypeTreeBuilder B;
  B.add(*this);
  B.add(O);
  TypeTree New = B.take();
  if (New == *this)
    return false;
  *this = New;
  return true;
}

bool TypeTree::isImpliedBy(const TypeTree &O) const {
  if (!Facts || Facts == O.Facts || standsIn(*this, O))
    return true;
  TypeTree Sum = O;
  return !Sum.join(*this);
}

namespace {

/// Finds the facts of a tree that touch a place, in their order.
class Neighbours {
public:
  explicit Neighbours(ArrayRef<TypeFact> All) : All(All) {
    for (const TypeFact &F : All)
      if (isWide(F.Place))
        Wide.push_back(&F);
  }

  using List = SmallVector<const TypeFact *, 8>;
  void of(const TypePlace &P, List &Out) const {
    Out.assign(Wide.begin(), Wide.end());
    uint64_t First = P.Start < MaxScalar ? 0 : P.Start - MaxScalar;
    auto It =
        std::partition_point(All.begin(), All.end(), [&](const TypeFact &F) {
          return F.Place.Start < First;
        });
    for (; It != All.end() && It->Place.Start < P.end(); ++It)
      if (!isWide(It->Place))
        Out.push_back(It);
  }

private:
  ArrayRef<TypeFact> All;
  SmallVector<const TypeFact *, 8> Wide;
};

/// The join of facts as it is built up.
struct FactSum {
  TypeFact Sum; // of type Unknown if only Anything was found
  bool Found = false;

  void take(const TypeFact &F, const TypePlace &P) {
    TypeFact Here = restrictedTo(F, P);
    if (!Found)
      Sum = Here;
    else
      joinValue(Sum, Here);
    Found = true;
  }
};

} // namespace

namespace {

/// One meet. Both sides are gone through, and each comes to the same pairs of
/// pointees: without remembering them the work would double with each level.
class Meet {
public:
  TypeTree of(const TypeTree &A, const TypeTree &B);

private:
  bool agree(ArrayRef<const TypeFact *> Facts, const TypePlace &P,
             ConcreteType T, TypeFact &Out);
  void addAgreed(const TypeTree &X, const TypeTree &Y, TypeTreeBuilder &Out);

  using Pair = std::pair<const TypeFact *, const TypeFact *>;
  struct Known {
    TypeTree A, B, Result; // A and B: so that nothing else gets their address
  };
  DenseMap<Pair, Known> Done; // by their lists of facts
};

} // namespace

/// What \p Facts say about the single element \p P of type \p T: the join of
/// those that agree. False if they leave a byte of it open.
static bool agreeOnElement(ArrayRef<const TypeFact *> Facts, const TypePlace &P,
                           ConcreteType T, TypeFact &Out) {
  FactSum S;
  for (const TypeFact *F : Facts)
    if (F->Type == T && F->Place.contains(P, isWhole(T)))
      S.take(*F, P);
  if (S.Found) {
    Out = S.Sum;
    return true;
  }
  // Made of parts: bytes that are all Anything, or Integer as well for an
  // Integer.
  if (P.Size > MaxScalar)
    return false;
  for (uint64_t I = 0; I != P.Size; ++I) {
    TypePlace Byte;
    Byte.Start = P.Start + I;
    Byte.Size = 1;
    const TypeFact *Covers = nullptr;
    for (const TypeFact *F : Facts) {
      bool Agrees = F->Type.kind() == ConcreteType::Anything ||
                    (T.isInteger() && F->Type.isInteger());
      if (!Covers && Agrees && F->Place.contains(Byte, false))
        Covers = F;
    }
    if (!Covers)
      return false;
    if (Covers->Type.isInteger())
      S.take(*Covers, Byte);
  }
  Out = S.Sum;
  return true;
}

/// The same for all elements of a place.
bool Meet::agree(ArrayRef<const TypeFact *> Facts, const TypePlace &P,
                 ConcreteType T, TypeFact &Out) {
  constexpr uint64_t MaxElements = 64;
  if (P.isSingle())
    return agreeOnElement(Facts, P, T, Out);
  FactSum S;
  bool FoundAny = false;
  for (const TypeFact *F : Facts) {
    bool IsAny = F->Type.kind() == ConcreteType::Anything;
    if ((F->Type != T && !IsAny) || !F->Place.contains(P, isWhole(T) && !IsAny))
      continue;
    FoundAny = true;
    if (!IsAny)
      S.take(*F, P);
  }
  if (!FoundAny && P.Count > MaxElements)
    return false;
  Out = S.Sum;
  if (FoundAny)
    return true;
  TypePlace One = P;
  One.Count = 1;
  One.Stride = 0;
  for (uint64_t I = 0; I != P.Count; ++I, One.Start += P.Stride) {
    TypeFact E;
    if (!agreeOnElement(Facts, One, T, E))
      return false;
    if (!E.Type.isKnown())
      continue;
    if (!Out.Type.isKnown()) {
      Out = E;
      continue;
    }
    // Elements differ: only what holds for all of them holds for the place.
    Out.Sure = std::min(Out.Sure, E.Sure);
    Out.Pointee = of(Out.Pointee, E.Pointee);
  }
  return true;
}

/// Adds to \p Out what \p X says and \p Y agrees to.
void Meet::addAgreed(const TypeTree &X, const TypeTree &Y,
                     TypeTreeBuilder &Out) {
  constexpr uint64_t MaxElements = 64;
  Neighbours Near(Y.facts());
  Neighbours::List Facts;
  auto Add = [&](TypeFact F) {
    TypeFact Other;
    if (!agree(Facts, F.Place, F.Type, Other))
      return false;
    if (Other.Type.isKnown()) {
      F.Sure = std::min(F.Sure, Other.Sure);
      F.Pointee = of(F.Pointee, Other.Pointee);
    }
    Out.add(std::move(F));
    return true;
  };
  for (const TypeFact &F : X.facts()) {
    Near.of(F.Place, Facts);
    if (Add(F) || F.Place.isSingle() || F.Place.Count > MaxElements)
      continue;
    // Not to all elements; perhaps to some.
    TypeFact One = F;
    One.Place.Count = 1;
    One.Place.Stride = 0;
    for (uint64_t I = 0; I != F.Place.Count; ++I) {
      Add(One);
      One.Place.Start += F.Place.Stride;
    }
  }
}

TypeTree Meet::of(const TypeTree &A, const TypeTree &B) {
  Pair Key(A.facts().data(), B.facts().data());
  if (Key.first == Key.second)
    return A;
  if (A.isUnknown() || B.isUnknown())
    return TypeTree();
  if (auto It = Done.find(Key); It != Done.end())
    return It->second.Result;
  TypeTreeBuilder Out;
  addAgreed(A, B, Out);
  addAgreed(B, A, Out);
  TypeTree Result = Out.take();
  Done[Key] = {A, B, Result};
  return Result;
}

TypeTree TypeTree::meet(const TypeTree &A, const TypeTree &B) {
  return Meet().of(A, B);
}
