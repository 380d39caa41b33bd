// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lattice: trees of facts, their join, and how large they get.
#include "adze/TypeTree.h"
#include "Analysis/Type/TypeFacts.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include "llvm/IR/Type.h"
#include <optional>

using namespace llvm;
using namespace adze;

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

struct TypeTree::Node {
  std::vector<TypeFact> List;
  unsigned Depth = 0;
  uint64_t Weight = 0;
  Certainty Surest = Certainty::Hint;
  /// This tree without its deepest level, once somebody asked for it: a tree
  /// of full depth is put behind pointers again and again.
  mutable TypeTree Shallower;
  /// This tree with no fact surer than Indirect, likewise: what lies behind a
  /// progression of pointers is looked at so from each of its elements.
  mutable TypeTree Extrapolated;
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

TypeTree TypeTree::demoted(Certainty C) const {
  if (surest() <= C)
    return *this;
  if (C == Certainty::Indirect && !Facts->Extrapolated.isUnknown())
    return Facts->Extrapolated;
  TypeTreeBuilder B;
  for (TypeFact F : facts()) {
    F.Sure = std::min(F.Sure, C);
    F.Pointee = F.Pointee.demoted(C);
    B.add(std::move(F));
  }
  TypeTree Result = B.take();
  if (C == Certainty::Indirect)
    Facts->Extrapolated = Result;
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

namespace {

/// Asks of many facts whether one tree says what they say.
class Implied {
public:
  explicit Implied(const TypeTree &T) : List(T.facts()) {
    for (const TypeFact &G : List)
      if (isWide(G.Place))
        Wide.push_back(&G);
  }

  /// Facts that contain \p F say together what \p F says. What \p F contains
  /// in turn, they contain as well, so \p F is nothing new.
  bool contains(const TypeFact &F) const {
    bool IsAny = F.Type.kind() == ConcreteType::Anything, Found = false;
    Certainty Sure = Certainty::Hint;
    TypeTree Pointee;
    auto visit = [&](const TypeFact &G) {
      if ((!IsAny && G.Type != F.Type) ||
          !G.Place.contains(F.Place, isWhole(F.Type)))
        return;
      TypeFact Here = restrictedTo(G, F.Place);
      Sure = std::max(Sure, Here.Sure);
      if (!IsAny)
        Pointee.join(Here.Pointee);
      Found = true;
    };
    for (const TypeFact *G : Wide) {
      if (G->Place.Start > F.Place.Start)
        break;
      visit(*G);
    }
    for (const TypeFact &G : nearOf(List, F.Place))
      if (!isWide(G.Place))
        visit(G);
    return Found &&
           (IsAny || (F.Sure <= Sure && F.Pointee.isImpliedBy(Pointee)));
  }

private:
  ArrayRef<TypeFact> List;
  SmallVector<const TypeFact *, 8> Wide;
};

} // namespace

/// Facts of \p O that \p T does not imply: all of them, or the first.
static std::vector<TypeFact> newFacts(const TypeTree &O, const TypeTree &T,
                                      bool All) {
  ArrayRef<TypeFact> Old = T.facts();
  std::optional<Implied> By;
  std::vector<TypeFact> New;
  size_t J = 0;
  for (const TypeFact &F : O.facts()) {
    while (J != Old.size() && keyLess(Old[J], F))
      ++J;
    if (J != Old.size() && Old[J].sameKey(F) && Old[J].Sure >= F.Sure &&
        standsIn(F.Pointee, Old[J].Pointee))
      continue;
    if (!By)
      By.emplace(T);
    if (By->contains(F))
      continue;
    New.push_back(F);
    if (!All)
      break;
  }
  return New;
}

bool TypeTree::join(const TypeTree &O) {
  if (!O.Facts || Facts == O.Facts)
    return false;
  if (!Facts) {
    Facts = O.Facts;
    return true;
  }
  std::vector<TypeFact> Added = newFacts(O, *this, /*All=*/true);
  if (Added.empty())
    return false;
  TypeTreeBuilder B;
  for (TypeFact &F : Added)
    B.add(std::move(F));
  TypeTree New = B.takeWith(*this);
  if (New == *this)
    return false;
  *this = New;
  return true;
}

bool TypeTree::isImpliedBy(const TypeTree &O) const {
  return !Facts || Facts == O.Facts ||
         newFacts(*this, O, /*All=*/false).empty();
}

TypeTree TypeTree::minus(const TypeTree &O, Certainty C) const {
  std::vector<TypeFact> Left;
  const Implied ByOther(O);
  for (const TypeFact &F : facts()) {
    TypeFact NoSurer = F;
    NoSurer.Sure = std::min(F.Sure, C);
    NoSurer.Pointee = F.Pointee.demoted(C);
    if (!ByOther.contains(NoSurer))
      Left.push_back(F);
  }
  return TypeTree(std::move(Left));
}
