// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which objects are the same, if two threads of a team have the addresses, each
// its own. Of two addresses in one thread alias analysis knows more.
#ifndef ADZE_LIB_ANALYSIS_SHARING_THREADOBJECTS_H
#define ADZE_LIB_ANALYSIS_SHARING_THREADOBJECTS_H

#include "adze/Request.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Value;
} // namespace llvm

namespace adze {

class ThreadObjects {
public:
  explicit ThreadObjects(const Request &R) : R(R) {}

  /// What addresses are calculated from.
  static llvm::SmallVector<const llvm::Value *, 2>
  objectsBehind(const llvm::Value *Pointer);
  /// Each of \p Objects is a variable or a block of which no other thread
  /// knows.
  bool areOfThread(llvm::ArrayRef<const llvm::Value *> Objects);
  /// None of \p A is one of \p B, in the same thread or in another.
  bool areApart(llvm::ArrayRef<const llvm::Value *> A,
                llvm::ArrayRef<const llvm::Value *> B);

private:
  bool isCaptured(const llvm::Value &V);
  bool isReachedAlone(const llvm::Value &V);
  bool areGivenApart(const llvm::Value &A, const llvm::Value &B) const;

  const Request &R;
  llvm::DenseMap<const llvm::Value *, bool> Captured;
};

} // namespace adze
#endif
