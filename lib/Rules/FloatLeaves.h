// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The float leaves of a value: the parts of its bits that carry derivatives.
// A double is one leaf, a vector a leaf per element, an aggregate what its
// members are, and an integer what the type analysis says that its bytes hold.
#ifndef ADZE_RULES_FLOATLEAVES_H
#define ADZE_RULES_FLOATLEAVES_H

#include "adze/TypeInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

/// What a first-class value of a given type holds, for code that must treat
/// its floats, pointers and other bits differently.
struct Content {
  bool Floats = false;
  bool Pointers = false;
  bool Others = false;  // integers, padding
  bool Unknown = false; // bytes of which nothing is known
};
Content contentOf(llvm::Type *Ty, const BlockLayout &Layout,
                  const llvm::DataLayout &DL);

/// a + c on the float leaves, a's bits elsewhere.
llvm::Value *addFloatLeaves(llvm::IRBuilderBase &B, llvm::Value *A,
                            llvm::Value *C, const BlockLayout &Layout,
                            const llvm::DataLayout &DL);

/// Stores the float leaves of \p V (Floats) or its other leaves to \p Ptr, or
/// zero in their place when \p V is null.
struct LeafStore {
  bool Floats = false;
  bool Pointers = false;
};
void storeLeaves(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *Ty,
                 llvm::Value *Ptr, llvm::Align Align, LeafStore Which,
                 const BlockLayout &Layout, const llvm::DataLayout &DL);

} // namespace adze
#endif
