// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pointers of the functions that Adze made may lead to one object?
//
// Classes of pointers, found by unification (Steensgaard, POPL 1996): whatever
// may be assigned to each other is of one class, and so is what is stored where
// pointers of one class lead. Nothing is said of the order of instructions, nor
// of parts of objects.
#ifndef ADZE_LIB_CLEANUP_POINTERCLASSES_H
#define ADZE_LIB_CLEANUP_POINTERCLASSES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include <vector>

namespace llvm {
class Function;
class TargetLibraryInfo;
} // namespace llvm

namespace adze {

class PointerClasses {
public:
  using LibraryOf =
      llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)>;

  /// \p Functions: all whose code is looked at. What others are given is
  /// unknown.
  PointerClasses(const llvm::SetVector<llvm::Function *> &Functions,
                 LibraryOf Library);

  /// Of what \p Pointer leads to.
  unsigned of(const llvm::Value &Pointer) { return find(node(Pointer)); }
  /// Others than the functions may access it.
  bool isUnknown(unsigned Class) { return Nodes[find(Class)].IsUnknown; }

private:
  struct Node {
    unsigned Parent;
    unsigned Contents; // what pointers there lead to; 0: not asked for yet
    bool IsUnknown;
  };

  unsigned create(bool IsUnknown);
  unsigned node(const llvm::Value &V);
  bool beginsUnknown(const llvm::Value &V) const;
  unsigned find(unsigned N);
  void unite(unsigned A, unsigned B);
  void markUnknown(unsigned N);
  unsigned contents(unsigned N);
  void markContentsUnknown(const llvm::Value &Pointer) {
    markUnknown(contents(node(Pointer)));
  }
  void visit(const llvm::Instruction &I);
  void visitCall(const llvm::CallBase &Call);
  void escapeOperands(const llvm::User &U);
  void escape(const llvm::Value &V);

  llvm::DenseMap<const llvm::Value *, unsigned> NodeOf;
  std::vector<Node> Nodes;
  /// Those of which all calls are seen.
  llvm::SetVector<const llvm::Function *> Closed;
  const llvm::TargetLibraryInfo *TLI = nullptr;
};

} // namespace adze
#endif
