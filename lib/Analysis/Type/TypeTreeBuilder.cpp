// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/TypeTreeBuilder.h"
#include "Analysis/Type/TypeFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

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

  /// Whether a fact of the list contains \p F, which is none of them, and has
  /// its type, or any type if \p F is Anything.
  bool anyFor(const TypeFact &F) const {
    bool Any = F.Type.kind() == ConcreteType::Anything;
    auto contains = [&](const TypeFact &Q) {
      return (Any || Q.Type == F.Type) &&
             Q.Place.contains(F.Place, isWhole(F.Type));
    };
    for (unsigned J : Wide) {
      if (List[J].Place.Start > F.Place.Start)
        break;
      if (contains(List[J]))
        return true;
    }
    return any_of(nearOf(List, F.Place), [&](const TypeFact &Q) {
      return !isWide(Q.Place) && contains(Q);
    });
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

std::vector<TypeFact> TypeTreeBuilder::sorted() {
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
  return Unique;
}

/// \p F with what the facts that contain it say of its place; none if they say
/// all of it.
static std::optional<TypeFact> unlessImplied(const Containers &In,
                                             const TypeFact &F, unsigned I,
                                             bool Outline) {
  TypeFact Larger;
  bool Found = false;
  In.forEach(I, [&](const TypeFact &Q) {
    Certainty Sure = Outline ? Q.Sure : sureAt(Q, F.Place);
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
                                  : restrictedTo(Q, F.Place).Pointee);
  });
  bool IsAny = F.Type.kind() == ConcreteType::Anything;
  if (Found && (IsAny || (F.Sure <= Larger.Sure &&
                          F.Pointee.isImpliedBy(Larger.Pointee))))
    return std::nullopt;
  TypeFact Kept = F;
  if (Found && !Outline)
    joinValue(Kept, Larger);
  return Kept;
}

TypeTree TypeTreeBuilder::take(bool Outline) {
  const std::vector<TypeFact> Unique = sorted();
  Containers In(Unique);
  std::vector<TypeFact> Kept;
  Kept.reserve(Unique.size());
  for (unsigned I = 0; I != Unique.size(); ++I)
    if (std::optional<TypeFact> F = unlessImplied(In, Unique[I], I, Outline))
      Kept.push_back(std::move(*F));
  return TypeTree(std::move(Kept));
}

TypeTree TypeTreeBuilder::takeWith(const TypeTree &Tree) {
  std::vector<TypeFact> New = sorted(), All, Kept;
  ArrayRef<TypeFact> Old = Tree.facts();
  if (New.empty())
    return Tree;
  All.reserve(Old.size() + New.size());
  std::vector<bool> IsNew;
  IsNew.reserve(Old.size() + New.size());
  for (size_t I = 0, J = 0; I != Old.size() || J != New.size();) {
    bool Same = I != Old.size() && J != New.size() && Old[I].sameKey(New[J]);
    bool First = J == New.size() ||
                 (I != Old.size() && (Same || keyLess(Old[I], New[J])));
    All.push_back(First ? Old[I] : New[J]);
    IsNew.push_back(!First || Same);
    if (Same) {
      joinValue(All.back(), New[J]);
      New[J] = All.back();
    }
    I += First;
    J += !First || Same;
  }
  Containers In(All), InNew(New);
  Kept.reserve(All.size());
  for (unsigned I = 0; I != All.size(); ++I) {
    // What the tree says already needs another look only beside what is new.
    if (!IsNew[I] && !InNew.anyFor(All[I]))
      Kept.push_back(All[I]);
    else if (std::optional<TypeFact> F =
                 unlessImplied(In, All[I], I, /*Outline=*/false))
      Kept.push_back(std::move(*F));
  }
  return TypeTree(std::move(Kept));
}

/// Where a member ends of which \p Tree guesses what it holds, and \p Seen
/// knows: at the next pointer, at a word of which the guess says nothing, and
/// where it is wrong.
static uint64_t endOfMember(const TypeTree &Tree, const TypeTree &Seen) {
  constexpr uint64_t Word = 8;
  uint64_t End = TypePlace::Unbounded;
  auto isWrong = [&](const TypeFact &F) {
    return any_of(Seen.facts(), [&](const TypeFact &G) {
      return G.Sure == Certainty::Definite && G.Type != F.Type &&
             G.Type.kind() != ConcreteType::Anything &&
             G.Place.Start < F.Place.Start + F.Place.Size &&
             F.Place.Start < G.Place.Start + G.Place.Size;
    });
  };
  for (const TypeFact &F : Seen.facts())
    if (F.Type.isPointer() && F.Place.Start > 0)
      End = std::min(End, F.Place.Start);
  uint64_t Reached = 0;
  for (const TypeFact &F : Tree.facts()) {
    if (F.Place.Start >= Reached + Word)
      return std::min(End, Reached);
    if (F.Place.Start > 0 && (F.Type.isPointer() || isWrong(F)))
      return std::min(End, F.Place.Start);
    Reached = std::max(Reached, F.Place.end());
  }
  return End;
}

TypeTree TypeTreeBuilder::ofMember(const TypeTree &Tree, const TypeTree &Seen) {
  const TypeTree Member = Tree.slice(0, endOfMember(Tree, Seen));
  TypeTreeBuilder B;
  for (TypeFact F : Member.facts()) {
    if (F.Type.isPointer() && F.Place.isUnbounded())
      F.Place.Count = 1;
    B.add(std::move(F));
  }
  return B.take();
}

/// \p Path leads to \p Tree, which is its end.
static TypeTree cutRecursion(const TypeTree &Tree,
                             SmallVectorImpl<TypeTree> &Path) {
  TypeTreeBuilder B;
  for (TypeFact F : Tree.facts()) {
    const TypeTree Behind = F.Pointee.demoted(Certainty::Indirect);
    bool Again = F.Pointee.depth() > 0 && any_of(Path, [&](const TypeTree &T) {
                   return Behind.isImpliedBy(T);
                 });
    if (Again) {
      TypeTreeBuilder Level;
      for (TypeFact Member : F.Pointee.facts()) {
        Member.Pointee = TypeTree();
        Level.add(std::move(Member));
      }
      F.Pointee = Level.take();
    } else if (F.Pointee.depth() > 0) {
      Path.push_back(Behind);
      F.Pointee = cutRecursion(F.Pointee, Path);
      Path.pop_back();
    }
    B.add(std::move(F));
  }
  return B.take();
}

TypeTree TypeTreeBuilder::withoutRecursion(const TypeTree &Tree) {
  if (Tree.depth() < 3)
    return Tree;
  SmallVector<TypeTree, 8> Path(1, Tree.demoted(Certainty::Indirect));
  return cutRecursion(Tree, Path);
}
