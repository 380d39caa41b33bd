// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes trees from lists of facts in any order: sorts, merges equal keys and
// drops what other facts imply, so that equal knowledge is equal structure.
//
// Why the join laws hold: for a place P and a type T let g(P, T) be the join
// of certainty and pointee over all facts of type T whose places contain P
// (lowered to Indirect where P is no first element of an unbounded one).
// Union of facts is the pointwise join of the g's; and a fact is kept exactly
// if g rises at its place above the join of g over all larger places. Both
// depend on g alone, so the order of joins does not matter.
#ifndef ADZE_LIB_ANALYSIS_TYPE_TYPETREEBUILDER_H
#define ADZE_LIB_ANALYSIS_TYPE_TYPETREEBUILDER_H

#include "adze/TypeTree.h"

namespace adze {

class TypeTreeBuilder {
public:
  /// Adds a fact; places that hold nothing or lie too far out are ignored.
  void add(TypeFact Fact);
  void add(const TypeTree &Tree);
  TypeTree take();
  /// The join of what was added and \p Tree.
  TypeTree takeWith(const TypeTree &Tree);
  /// What was added, as it was added.
  llvm::ArrayRef<TypeFact> facts() const { return List; }
  /// The same without facts that larger ones imply but for their certainty.
  TypeTree outline();

  /// \p Tree describes what is behind pointers of which one leads to a member
  /// of an object, and \p Seen what was seen there: what the tree says of the
  /// member. A pointer is one, and no array of them, and what stands behind the
  /// next pointer belongs to other members.
  static TypeTree ofMember(const TypeTree &Tree, const TypeTree &Seen);
  /// \p Tree without what lies behind the pointers of a record that it has seen
  /// on the way there: the nodes of a tree lead to nodes of which the same is
  /// known, by several pointers each.
  static TypeTree withoutRecursion(const TypeTree &Tree);

private:
  TypeTree take(bool Outline);
  /// What was added, in order, with one fact for each key.
  std::vector<TypeFact> sorted();
  std::vector<TypeFact> List;
};

} // namespace adze
#endif
