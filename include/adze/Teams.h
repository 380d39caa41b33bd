// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that all threads of an OpenMP team run (docs/Parallel.md).
//
// A parallel region is a function; the runtime calls it in every thread. In
// canonical form that is a team call: a plain call of the region, with an
// attribute that says who makes it. Its derivative is that of any callee, and
// its calls are team calls, too. After all else is done they become calls of
// the runtime (lib/Cleanup/LowerTeams.cpp).
#ifndef ADZE_TEAMS_H
#define ADZE_TEAMS_H

#include <cstdint>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class LLVMContext;
class StructType;
class Value;
} // namespace llvm

namespace adze::teams {

/// What each thread runs.
enum class Half : uint8_t {
  Whole,      // the region, or all of its derivative
  Augmented,  // the last argument is the address of a record (below): the
              // thread gets a tape of its own there
  Reverse,    // the last argument is that address: the thread gets the tape of
              // the thread of its number back, which then goes
  ReverseKeep // the tape stays
};

/// The first arguments of a region are of the runtime, for each thread its own.
inline constexpr unsigned RuntimeArgs = 2;

/// String attribute of a region that takes other arguments than the program's
/// own, beside that; it goes with the canonical clones.
inline constexpr char RegionAttribute[] = "adze.region";

/// Metadata of a load in a section of one thread at a time that writes there as
/// well: nobody else may access it.
inline constexpr char ExclusiveMetadata[] = "adze.exclusive";

bool isTeamCall(const llvm::CallBase &Call);
/// \p Call becomes one; it is never inlined. \p TapeBytes: of one thread.
void markTeamCall(llvm::CallBase &Call, Half H, uint64_t TapeBytes = 0);
Half halfOf(const llvm::CallBase &Call);
uint64_t tapeBytesOf(const llvm::CallBase &Call);

/// \p Copy, of a block, stands in front of an augmented half whose threads may
/// make it, each a part of it; \p First, all of it before any of them goes on.
/// Until the team has ended nobody reads what comes of it.
void markCopy(llvm::Instruction &Copy, bool First);
bool isMarkedCopy(const llvm::Instruction &I);
/// Of such a copy.
bool comesFirst(const llvm::Instruction &Copy);

/// \p Call, of the program, has the runtime start a team: its region, if that
/// has a body and takes what it is given; else null.
llvm::Function *forkedBy(const llvm::CallBase &Call);
/// The same of a league of teams.
llvm::Function *leagueOf(const llvm::CallBase &Call);
/// \p F, or what it calls, starts a team; or that is not known.
bool mayStart(const llvm::Function &F);
/// Of such calls, what the region gets behind the RuntimeArgs.
inline constexpr unsigned ForkFirst = 3;
/// \p Call is of a known function of the runtime of OpenMP, or of ours.
bool isOfRuntime(const llvm::CallBase &Call);

/// \p Call is of such a function, and the program goes on behind it.
bool comesBack(const llvm::CallBase &Call);

/// Threads of a team meet at \p I, or take turns: behind it, what others have
/// written before theirs is seen.
bool isMeeting(const llvm::Instruction &I);

/// \p Call is what a team call has become in the end.
bool isRun(const llvm::CallBase &Call);

/// What the two halves of a team call share (struct Record of
/// Runtime/Teams.c): the tapes of the threads, and how many there are.
llvm::StructType *recordType(llvm::LLVMContext &C);

/// The bounds of the iterations that a thread has of a loop whose iterations
/// are shared pass through functions that return their operand: two threads
/// never have a common iteration between the bounds of one pair. Operand 1
/// tells in how many parts the iterations are shared out, operand 2 the bound
/// of all of them.
bool isLowerBound(const llvm::Value *V);
bool isUpperBound(const llvm::Value *V);
/// Where a thread has several such intervals, so does what both bounds advance
/// by: two threads have no common iteration either between bounds that have
/// advanced any number of times, one pair more often than the other or not.
bool isStride(const llvm::Value *V);
/// Of a lower bound.
const llvm::Value *partsOf(const llvm::Value &Lower);
/// Of a bound: where all threads together begin, or end. The iterations of each
/// lie between the two. Null if that is not known.
const llvm::Value *limitOf(const llvm::Value &Bound);
/// \p I asks the runtime for the next iterations of this thread.
bool takesIterations(const llvm::Instruction &I);
bool isBoundFunction(const llvm::CallBase &Call);

} // namespace adze::teams

#endif
