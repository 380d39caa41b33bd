// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads of a GPU meet, exchange values, and order what others see.
#ifndef ADZE_DEVICESYNC_H
#define ADZE_DEVICESYNC_H

namespace llvm {
class AtomicRMWInst;
class IRBuilderBase;
class Instruction;
} // namespace llvm

namespace adze {

/// How many threads meet where they wait for each other.
enum class Meeting { None, Warp, Block };
Meeting meetingOf(const llvm::Instruction &I);

/// \p I is __syncthreads(), or one of its variants that count as well: all
/// threads of the block meet.
bool isBarrierOfAll(const llvm::Instruction &I);
/// Such a barrier, which orders memory.
void createBarrierOfAll(llvm::IRBuilderBase &B);

/// Threads exchange values at \p I, or wait for each other in a way that has no
/// row in the table of known functions.
bool isUnknownExchange(const llvm::Instruction &I);

/// \p I orders what other threads see, but for a fence beside a barrier of the
/// block, which orders no more than that does.
bool isLoneFence(const llvm::Instruction &I);

/// In code for a GPU, \p I orders nothing, whatever clang says of it: CUDA's
/// and HIP's functions that change integers are relaxed (CUDA C++ Programming
/// Guide, Atomic Functions). What exchanges values may be a lock.
bool isRelaxedChange(const llvm::AtomicRMWInst &I);

/// \p Sum is what CUDA and HIP call atomicAdd, of floats, without asking what
/// stood there. It orders nothing, whatever clang says of it: these functions
/// are relaxed (CUDA C++ Programming Guide, Atomic Functions).
bool isRelaxedSum(const llvm::AtomicRMWInst &Sum);

/// Of an atomic maximum or minimum: who has won is settled behind the next
/// barrier of the block (Prepare/LowerExtrema.cpp), and has the derivative.
inline constexpr char SettledMetadata[] = "adze.settled";

} // namespace adze
#endif
