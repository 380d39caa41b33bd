// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of a program that what two accesses touch while loops run lies apart.
// They stand as far out as what they compare is known.
#ifndef ADZE_LIB_CLEANUP_FUSIONTESTS_H
#define ADZE_LIB_CLEANUP_FUSIONTESTS_H

#include "RangeTests.h"

#include "llvm/ADT/SmallVector.h"

namespace adze {

class FusionTests {
public:
  FusionTests(llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
              AccessRanges &Ranges, llvm::Loop &At)
      : SE(SE), LI(LI), Ranges(Ranges), At(At) {}

  /// Has it tested in front of the loop, or of one that it stands in, that
  /// \p A and \p B, instructions of it or beside it, have no byte in common.
  /// False if that can not be tested.
  bool add(const LoopAccess &A, const LoopAccess &B);
  unsigned size() const { return unsigned(Tests.size()); }
  /// Code that tests all of it; what each place finds.
  llvm::SmallVector<llvm::Value *, 2> emit();

private:
  struct Test {
    llvm::Loop *In; // in front of it
    AddressSpan A, B;
  };

  std::optional<AddressSpan> rangeOf(const LoopAccess &A, llvm::Loop &In);
  bool add(const Test &T);

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  AccessRanges &Ranges;
  llvm::Loop &At;
  llvm::SmallVector<Test, 8> Tests;
};

} // namespace adze
#endif
