// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the conditions in front of loops say about sizes:
//
//   for (int i = 1; i < n - 1; i++)        zext(n - 1) = zext(n) - 1, as n > 2
//     next[i] = g(u[i - 1], u[i + 1]);     sext(n) = zext(n)
//
// So distances that are computed of n itself and of the loop's count are
// comparable.
#ifndef ADZE_LIB_LOOPS_ENTRYGUARDS_H
#define ADZE_LIB_LOOPS_ENTRYGUARDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <memory>

namespace adze {

/// \p S with extensions of sums as sums of extensions, and extensions of one
/// kind, where numbers that do not vary in the function are large enough, as
/// one of the loops \p Entered would not have been entered otherwise. Null
/// loops are none.
const llvm::SCEV *underGuards(const llvm::SCEV *S,
                              llvm::ArrayRef<const llvm::Loop *> Entered,
                              const llvm::LoopInfo &LI,
                              llvm::ScalarEvolution &SE);

/// ScalarEvolution::applyLoopGuards collects what stands in front of a loop
/// anew for each expression. Here that is done once for a loop, and each
/// expression is asked for once.
class GuardedExpressions {
public:
  explicit GuardedExpressions(llvm::ScalarEvolution &SE) : SE(SE) {}

  /// \p S where \p L has been entered.
  const llvm::SCEV *apply(const llvm::SCEV *S, const llvm::Loop &L);
  /// Code has changed.
  void forget() {
    Known.clear();
    Guards.clear();
  }

private:
  const llvm::ScalarEvolution::LoopGuards &guards(const llvm::Loop &L);

  llvm::ScalarEvolution &SE;
  llvm::DenseMap<const llvm::Loop *,
                 std::unique_ptr<llvm::ScalarEvolution::LoopGuards>>
      Guards;
  llvm::DenseMap<std::pair<const llvm::SCEV *, const llvm::Loop *>,
                 const llvm::SCEV *>
      Known;
};

} // namespace adze
#endif
