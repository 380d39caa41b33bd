// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The meet of two trees: what is true of a value that one or the other
// describes.
#include "Analysis/Type/TypeFacts.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include "llvm/ADT/DenseMap.h"

using namespace llvm;
using namespace adze;

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
      if (!Covers && Agrees && F->Place.contains(Byte, /*Exact=*/false))
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
