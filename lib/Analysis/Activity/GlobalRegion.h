// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which global variables may hold active data.
//
// A function's request says nothing about globals, yet what one callee stores
// to a global another one reads. So the answer is one for the whole module,
// found before any function is looked at: a global may hold active data if a
// function of the differentiated region may store a float or a pointer to it.
// The region are the functions reachable from the function at hand and from
// every function whose address is taken (a marker takes its function's
// address). What code outside of the region puts into a global is constant for
// the derivative, and so is memory that was put behind a global's pointer
// there.
#ifndef ADZE_ANALYSIS_ACTIVITY_GLOBALREGION_H
#define ADZE_ANALYSIS_ACTIVITY_GLOBALREGION_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Instruction;
class Module;
class Type;
class Use;
} // namespace llvm

namespace adze {

class GlobalRegion {
public:
  explicit GlobalRegion(const llvm::Function &Root, bool FollowsText = false);

  /// Numbers go through text as if they had derivatives there (TextFlow.cpp).
  const bool FollowsText;

  bool contains(const llvm::Function &F) const { return Region.contains(&F); }
  llvm::ArrayRef<const llvm::Function *> functions() const {
    return Region.getArrayRef();
  }
  /// \p G is mutable, has a definition here, and the region may store floats
  /// or pointers to it, or it is initialized with pointers to such globals.
  bool mayBeActive(const llvm::GlobalVariable &G);
  /// \p G is constant, and so is all that its pointers lead to, and none of it
  /// is a float: texts, tables of texts and functions, places in the source.
  bool isInert(const llvm::GlobalVariable &G);
  /// Somewhere here a float and an integer take turns (FloatPuns.h). Where they
  /// do not, no integer that is moved counts as a float's bits.
  bool takesFloatsApart();
  /// Bits of floats, or of parts of such, may be stored to \p G as integers.
  bool mayHoldFloatBits(const llvm::GlobalVariable &G);
  /// Those of them that functions outside of this module can see.
  llvm::ArrayRef<const llvm::GlobalVariable *> activeAndVisible();
  /// Somewhere in the module an integer becomes a pointer.
  bool hasIntegerPointers() const { return IntegerPointers; }

private:
  bool isStoredTo(const llvm::GlobalVariable &G);
  bool exceptionsMayBeActive() const;
  bool anyUse(const llvm::GlobalVariable &G,
              llvm::function_ref<bool(const llvm::Use &)> Counts) const;
  bool storesFloatBits(const llvm::Use &U) const;
  bool useMayActivate(const llvm::GlobalVariable &G, const llvm::Use &U) const;
  bool callMayActivate(const llvm::GlobalVariable &G,
                       const llvm::CallBase &Call, unsigned Operand,
                       bool Inside) const;

  const llvm::Module &M;
  llvm::SetVector<const llvm::Function *> Region;
  llvm::DenseMap<const llvm::GlobalVariable *, bool> Known, StoredTo, Inert,
      HoldsBits;
  llvm::SmallVector<const llvm::GlobalVariable *, 4> Visible;
  bool VisibleFound = false;
  bool IntegerPointers = false;
  std::optional<bool> TakesFloatsApart;
};

/// Some part of the type is a float (pointer).
bool typeHasFloats(llvm::Type *Ty);
bool typeHasPointers(llvm::Type *Ty);

} // namespace adze
#endif
