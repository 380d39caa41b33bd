// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are reversed with few saved states (docs/Checkpoints.md). The
// program marks one by a call of adze_checkpoint in its body. Prepare makes two
// functions of it: one runs a step, an iteration of the loop; the other one is
// the loop, and runs the steps:
//
//   int loop(states, on disk, count, step's arguments..., regions...) {
//     do r = step(step's arguments...); while (r says so);
//     return r;
//   }
//
// It is a function like others to all analyses, and to forward mode. In reverse
// mode its derivative is not made of its code: see Plan/StepPlans.h.
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

/// String attribute of an argument of a loop function: what it is in the
/// program, for messages.
inline constexpr char NameOfArgument[] = "adze.name";

bool isMarker(const llvm::CallBase &Call);
/// What the arguments of \p Marker are: first numbers, then pairs of a pointer
/// and a number of bytes.
struct MarkerForm {
  bool GivesMemory; // bytes for the states in place of their number
  bool GivesDisk;   // a second number: states on disk
  unsigned NumbersEnd;
};
MarkerForm formOf(const llvm::CallBase &Marker);
/// \p Call is of the runtime (Runtime/Checkpoints.c): it stands in a gradient.
bool isOfStates(const llvm::CallBase &Call);
/// A forward derivative of a loop function, as which it is marked. It runs the
/// loop: what is made of it in reverse mode has no states.
void markForward(llvm::Function &F);
bool isForward(const llvm::CallBase &Call);
/// Says of the markers what keeps them where they are, and from being in the
/// way of optimizations. Whether \p M has any.
bool describeMarkers(llvm::Module &M);
/// Removes all calls of markers. Whether there were any.
bool removeMarkers(llvm::Module &M);

/// The loop function and its arguments.
struct Layout {
  llvm::Function *Loop = nullptr;
  unsigned StepArgs = 0;
  /// A part of memory that belongs to a state.
  struct Region {
    /// The pointers in it that may be others in another step.
    enum Content : char {
      NoPointers = 'n',
      OnePointer = 'p',
      OneObject = 'o', // one pointer, that never leads to another object
      Unknown = 'u'
    };
    Content Pointers = Unknown;
    unsigned Base = 0;  // argument: the address, perhaps also one of a step's
    unsigned Bytes = 0; // argument: the size
    uint64_t Size = 0;  // the same where it is constant; else 0
  };
  llvm::SmallVector<Region, 8> Regions;
  /// What a step reads of memory that may be no part of the regions: how much
  /// of it, the step can say when it runs, unless a library's function reads.
  enum Reading : char { Nothing = '-', Counted = 'r', Uncounted = 'u' };
  /// Behind its arguments, and elsewhere: global variables, what pointers in
  /// memory lead to.
  llvm::SmallVector<Reading, 8> Reads;
  Reading ReadsElsewhere = Nothing;
  /// Arguments of a step that lead into the regions, whatever it writes there.
  llvm::SmallVector<bool, 8> Inside;
  /// A step may write elsewhere, or it is not known which blocks it allocates:
  /// it says so when it runs first (Emit/TrackedSteps.h).
  bool Tracks = false;
  /// How many steps there are is known in front of the loop.
  bool KnowsCount = false;

  /// Arguments: states to save at most in memory; 0 where an option says how
  /// many bytes they may take, or minus that many; states on disk; steps, -1 if
  /// that is not known beforehand; the first one of a step.
  static constexpr unsigned States = 0, OnDisk = 1, Count = 2, FirstStepArg = 3;
  /// The call of a step.
  llvm::CallInst *step() const;
};

/// Metadata of an instruction of a step, string attribute of an operand of a
/// call there: an address in the regions, or in memory of the step's own.
inline constexpr char InsideName[] = "adze.inside";

/// Marks \p L.Loop as the loop function of that layout.
void setLayout(const Layout &L);
/// That of \p F, a loop function or its clone; nothing for other functions.
std::optional<Layout> layoutOf(llvm::Function &F);

} // namespace adze::checkpoints
#endif
