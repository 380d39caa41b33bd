// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work space that the user calls constant, and that the function fills with
// active data which it reads again: f(x, dx, enzyme_const, work). What was in
// it before has no derivative, and nobody asks for one of what is left there,
// so its shadow is memory of zeros for the time of the call. Where the marker's
// caller shows how large the memory is, or the function how much of it is
// accessed, it is made here; else activity analysis reports the conflict. So it
// does where the function may reach the same memory by another way: a shadow
// made here would be one of two.
#ifndef ADZE_DRIVER_SCRATCHSHADOWS_H
#define ADZE_DRIVER_SCRATCHSHADOWS_H

#include "DerivativeStore.h"
#include "adze/Marker.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace adze {

class ScratchShadows {
public:
  ScratchShadows(DerivativeStore &Store, llvm::FunctionAnalysisManager &FAM)
      : Store(Store), FAM(FAM) {}

  /// Gives \p M, and its request, shadows for what needs one.
  void give(Marker &M);

private:
  /// The block that a pointer leads into, where the marker stands.
  struct Extent {
    llvm::Value *Size, *Offset;
    llvm::Value *Holds = nullptr; // if this; null: always
  };
  std::optional<Extent> extentOf(llvm::Value *Pointer, llvm::CallBase &At);
  std::optional<Extent> extentOfAccesses(const Marker &M, unsigned K);
  bool isReachedOtherwise(const Marker &M, unsigned Place);
  llvm::Value *resolved(llvm::Value *Pointer, llvm::CallBase &At);
  llvm::Value *shadowOf(const Extent &E, llvm::CallBase &At);

  DerivativeStore &Store;
  llvm::FunctionAnalysisManager &FAM;
};

} // namespace adze
#endif
