// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests in front of a loop of what analyses cannot tell: that the bytes which
// some of its instructions access are apart from those of others.
#ifndef ADZE_LIB_CLEANUP_RANGETESTS_H
#define ADZE_LIB_CLEANUP_RANGETESTS_H

#include "Loops/AccessRanges.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace adze {

/// The bytes from an address up to another one.
struct AddressSpan {
  const llvm::SCEV *First, *End;
};

/// Makes \p Known have \p Next, too, if both ends are at known distances:
/// accesses next to each other are one span.
bool join(AddressSpan &Known, const AddressSpan &Next,
          llvm::ScalarEvolution &SE);

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
  std::optional<AddressSpan> rangeOf(const llvm::Instruction &Access);
  bool add(const AddressSpan &A, const AddressSpan &B);

  const llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  AccessRanges &Ranges;
  llvm::SmallVector<std::pair<AddressSpan, AddressSpan>, 8> Tests;
};

} // namespace adze
#endif
