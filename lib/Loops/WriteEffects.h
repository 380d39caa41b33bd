// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory an instruction may modify or release, as far as that can be
// said without asking alias analysis.
#ifndef ADZE_LIB_LOOPS_WRITEEFFECTS_H
#define ADZE_LIB_LOOPS_WRITEEFFECTS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/MemoryLocation.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class TargetLibraryInfo;
} // namespace llvm

namespace adze {

/// What the body of a function may write, seen from its callers.
struct CalleeWrites {
  llvm::BitVector Args;   // memory based on argument i
  bool Elsewhere = false; // anything else that the caller can see
  /// Elsewhere is no more than what pointers lead to that are loaded from where
  /// these arguments point to, unless Beyond is set.
  llvm::BitVector Behind;
  bool Beyond = false;
  bool Meets = false; // other threads of the team that the caller is in: behind
                      // it, all that they have written is seen
};

/// Bottom-up summaries of functions with bodies; needed because unoptimized
/// code carries no memory attributes.
class CalleeWritesCache {
public:
  const CalleeWrites &of(const llvm::Function &F);

private:
  CalleeWrites compute(const llvm::Function &F);
  void addWrite(const llvm::Value *Ptr, CalleeWrites &W);
  void addCall(const llvm::CallBase &Call, CalleeWrites &W);
  void addFork(const llvm::CallBase &Fork, const llvm::Function &Region,
               CalleeWrites &W);

  llvm::DenseMap<const llvm::Function *, CalleeWrites> Done;
  unsigned Depth = 0;
};

/// The memory that an instruction may modify: the listed locations, and, if
/// Anywhere is set, whatever alias analysis does not exclude.
struct WriteEffect {
  llvm::Instruction *I = nullptr;
  llvm::SmallVector<llvm::MemoryLocation, 1> Locations;
  bool Anywhere = false;
  bool Releases = false; // that is all: nothing lives there any more
};

/// Nothing if \p I modifies and releases no memory that the program could read
/// again.
std::optional<WriteEffect> writeEffect(llvm::Instruction &I,
                                       CalleeWritesCache &Callees,
                                       const llvm::TargetLibraryInfo &TLI);

} // namespace adze
#endif
