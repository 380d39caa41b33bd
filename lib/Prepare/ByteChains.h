// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that are loaded and stored and go nowhere else, and integers of two
// places that are exchanged, one beside the other.
#ifndef ADZE_LIB_PREPARE_BYTECHAINS_H
#define ADZE_LIB_PREPARE_BYTECHAINS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace adze {

/// One element that moves from \p Source to \p To, or two that are exchanged
/// (then \p To is written first).
struct Element {
  llvm::Value *To = nullptr, *Source = nullptr;
  uint64_t Size = 0;
  bool Exchange = false;
  llvm::SmallVector<llvm::LoadInst *, 2> Loads;
  llvm::SmallVector<llvm::StoreInst *, 2> Stores;
  llvm::Align ToAlign, SourceAlign;
};

/// Elements of one block of code, each beside the one before: \p Down, where
/// the later ones stand at lower addresses.
struct Chain {
  llvm::SmallVector<Element, 8> Elements;
  bool Down = false;
  uint64_t size() const { return Elements.size() * Elements.front().Size; }
  bool exchanges() const { return Elements.front().Exchange; }
  /// The one at the lowest address.
  const Element &lowest() const {
    return Down ? Elements.back() : Elements.front();
  }
};

/// Adds the chains of \p B between which nothing else reads or writes memory.
void findChains(llvm::BasicBlock &B, llvm::ScalarEvolution &SE,
                llvm::SmallVectorImpl<Chain> &Chains);

} // namespace adze
#endif
