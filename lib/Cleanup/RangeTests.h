// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests in front of a loop of what analyses cannot tell: that the bytes which
// some of its instructions access are apart from those of others.
#ifndef ADZE_LIB_CLEANUP_RANGETESTS_H
#define ADZE_LIB_CLEANUP_RANGETESTS_H

#include "Loops/AccessRanges.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace adze {

class RangeTests {
public:
  RangeTests(const llvm::Loop &L, llvm::ScalarEvolution &SE,
             AccessRanges &Ranges)
      : L(L), SE(SE), Ranges(Ranges) {}

  /// Has it tested that \p A and \p B, loads or stores of the loop, access no
  /// byte in common while it runs. False if that cannot be tested, or takes too
  /// many tests.
  bool add(const llvm::Instruction &A, const llvm::Instruction &B);
  /// The tests may stand at \p At.
  bool canExpand(llvm::SCEVExpander &Expander, const llvm::Instruction *At);
  /// \p Good, and that all are apart.
  llvm::Value *emit(llvm::SCEVExpander &Expander, llvm::Value *Good,
                    llvm::Instruction *At);

private:
  struct Range {
    const llvm::SCEV *First, *End;
  };
  std::optional<Range> rangeOf(const llvm::Instruction &Access);
  bool add(const Range &A, const Range &B);

  const llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  AccessRanges &Ranges;
  llvm::SmallVector<std::pair<Range, Range>, 8> Tests;
};

} // namespace adze
#endif
