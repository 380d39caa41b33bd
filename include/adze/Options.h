// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All switches of the pass. lib/Support/Options.cpp is the only place that
// declares command-line options; everything else reads this struct.
#ifndef ADZE_OPTIONS_H
#define ADZE_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace adze {

/// What to do where an active number goes through text or a file.
enum class TextCuts { Warn, Error, Cut };

/// When iterations of loops run again in the reverse pass.
enum class RunAgain { Never, IfCheaper, Always };

/// How adjoints of what threads of a team read together are added up: where it
/// pays in copies, one for each thread (Replicas.h); always atomically; in
/// copies where that is possible.
enum class TeamSums { Auto, Atomic, Private };

/// Which products of a partial derivative and an adjoint or tangent keep the
/// zero of the latter where the former is infinite or NaN (0 * inf = 0).
enum class ZeroGuards {
  /// Those whose partial may be infinite although every value is finite that
  /// the program computes on the path taken: slopes such as 1/y, and values
  /// that an optimizer computes for a branch that is not taken.
  Slopes,
  /// All whose partial is not proved finite.
  All,
  None
};

/// Where memory of the tape comes from (Tape.c): Auto is Malloc in modules
/// compiled for the large code model, which JITs do, and else Arena.
enum class TapeAllocator {
  Auto,
  Arena, // of the thread
  Malloc // the C library; derivatives then have no thread-local variables
};

struct Options {
  /// -adze-strong-zero
  ZeroGuards StrongZero = ZeroGuards::Slopes;
  /// Every marker asks for enzyme_runtime_activity. -adze-runtime-activity
  bool RuntimeActivity = false;
  /// Print each stage's time at the end. -adze-time
  bool PrintTimes = false;
  /// Static tape arrays up to this many bytes live on the stack.
  /// -adze-max-static-tape
  unsigned MaxStaticTapeBytes = 16384;
  /// Values kept outside loops that a fused derivative may hold in registers;
  /// further ones stay in memory. -adze-max-tape-registers
  unsigned MaxTapeRegisters = 256;
  /// MiB of tape memory that are kept for the next gradient instead of given
  /// back to the system. -adze-keep-tapes
  unsigned KeepTapes = 1024;
  /// -adze-tape-allocator
  TapeAllocator Allocator = TapeAllocator::Auto;
  /// Bytes that the states of a loop may take of which the program gives no
  /// number (Checkpoints.h); 0 for none. -adze-checkpoint-memory
  uint64_t CheckpointMemory = 0;
  /// Pairs of arrays that a function compares at its entry, to run a version
  /// that knows that they are apart. -adze-max-alias-checks
  unsigned MaxAliasChecks = 16;
  /// -adze-run-again: whether iterations run again in the reverse pass.
  RunAgain Reruns = RunAgain::IfCheaper;
  /// -adze-openmp-adjoint
  TeamSums SumsOfTeams = TeamSums::Auto;
  /// Fills fresh tape memory with ones, so that reading what was not written
  /// shows. For tests. -adze-poison-tapes
  bool PoisonTapes = false;
  /// Fused derivatives are made of the halves of split ones, as if the program
  /// had called them one by one. For tests. -adze-force-split
  bool ForceSplit = false;
  /// Iterations of a loop of which neither the code nor a profile says how
  /// often it runs. -adze-assumed-trips
  unsigned AssumedTrips = 64;
  /// Price of four bytes on the tape, in additions, in an array that is neither
  /// small nor large (CacheCut.cpp).
  /// -adze-tape-price
  unsigned TapePrice = 5;
  /// Derivatives tell where a dual becomes NaN or infinite while the primal is
  /// finite (see NotFinite.h). -adze-trap-nan
  bool TrapNaN = false;
  /// Shadows are looked at where a derivative is called (see CheckShadows.h).
  /// -adze-check-shadows
  bool CheckShadows = false;
  /// Derivatives are compared with differences at run time (see
  /// CheckGradients.h). -adze-check
  bool Check = false;
  /// Upper bound of values that one plan may consider; a clear error past it.
  /// -adze-max-plan-values
  unsigned MaxPlanValues = 2000000;
  /// Functions of this module that one pointer may be compared with; a clear
  /// error past it. -adze-max-call-targets
  unsigned MaxCallTargets = 64;
  /// Facts about types that are kept for one pointer; what is refused for want
  /// of more says so. -adze-max-type-facts
  unsigned MaxTypeFacts = 1024;
  /// Factor for the limits up to which activity analysis tells objects and
  /// places apart; what is refused past them says so. -adze-activity-detail
  unsigned ActivityDetail = 1;
  /// Active numbers that are written as text or to a file, and read again, lose
  /// their derivative: warn of it, refuse it, or be silent. -adze-text
  TextCuts Text = TextCuts::Warn;
  /// Where to save what repeats a refusal; empty: nowhere.
  /// -adze-save-reproducer
  std::string SaveReproducer;
  /// Files of bitcode, separated by commas, in which derivatives in code for
  /// GPUs find functions of the device's library (libdevice, ocml) that the
  /// program does not call itself; empty: where clang finds them.
  /// -adze-device-library
  std::string DeviceLibrary;
  /// Functions that are narrowed, each as NAME:FROM:TO or NAME:FROM:EXPONENT:
  /// SIGNIFICAND, by commas. -adze-truncate
  std::string Truncate;
  /// All options that were given, as text: "-adze-strong-zero=none".
  std::vector<std::string> Given;

  /// The options as given on the command line of the host program.
  static const Options &get();
};

} // namespace adze
#endif
