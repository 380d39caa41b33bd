// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/TypeTreeBuilder.h"
#include "Analysis/Type/TypeFacts.h"

using namespace llvm;
using namespace adze;

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
