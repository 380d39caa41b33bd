// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are reversed with few saved states (docs/Checkpoints.md). The
// program marks one by a call of adze_checkpoint in its body. Prepare makes two
// functions of it: one runs a step, an iteration of the loop; the other one is
// the loop, and runs the steps:
//
//   int loop(step's arguments..., (base, bytes)..., states, count) {
//     do r = step(step's arguments...); while (r says so);
//     return r;
//   }
//
// It is a function like others to all analyses, and to forward mode. In reverse
// mode its derivative is not made of its code: see Plan/CheckpointPlans.h.
#ifndef ADZE_CHECKPOINTS_H
#define ADZE_CHECKPOINTS_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Argument;
class CallBase;
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace adze::checkpoints {

/// The function that programs call.
inline constexpr char MarkerName[] = "adze_checkpoint";

bool isMarker(const llvm::CallBase &Call);
/// Says of the marker what keeps it where it is, and from being in the way of
/// optimizations. Whether \p M has it.
bool describeMarker(llvm::Module &M);
/// Removes all calls of the marker. Whether there were any.
bool removeMarkers(llvm::Module &M);

/// The loop function and its arguments.
struct Layout {
  llvm::Function *Loop = nullptr;
  /// Those of a step come first.
  unsigned StepArgs = 0;
  /// Parts of memory that make a state: two arguments for each, its address and
  /// its size in bytes.
  unsigned Regions = 0;
  /// The sizes, as far as they are constants; else 0.
  llvm::SmallVector<uint64_t, 8> Sizes;
  /// Arguments of a step behind which it may read memory that is no part of the
  /// state, and whether it reads such memory elsewhere: global variables, what
  /// pointers in memory lead to.
  llvm::SmallVector<bool, 8> Reads;
  bool ReadsElsewhere = false;

  llvm::Argument *base(unsigned Region) const;
  llvm::Argument *bytes(unsigned Region) const;
  /// States to save at most; 0 where a budget of bytes says that.
  llvm::Argument *states() const;
  /// Steps, -1 if that is not known beforehand.
  llvm::Argument *count() const;
  /// The call of a step.
  llvm::CallInst *step() const;
};

/// Marks \p L.Loop as the loop function of that layout.
void setLayout(const Layout &L);
/// That of \p F, a loop function or its clone; nothing for other functions.
std::optional<Layout> layoutOf(llvm::Function &F);

} // namespace adze::checkpoints
#endif
