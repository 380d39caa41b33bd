// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of lib/Runtime/Tape.c, from which tapes, and owned blocks and
// their shadows, have their memory. They come into a module at first use.
#ifndef ADZE_TAPEMEMORY_H
#define ADZE_TAPEMEMORY_H

#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// What every block of the tape's memory is aligned to.
constexpr uint64_t TapeBlockAlign = 16;

/// base = grow(base, index, bytes): memory for element \p index of an array
/// that grows, in the header of its loop. base + index * bytes is the element's
/// address, where the base itself may point anywhere. Nothing is ever moved:
/// see lib/Runtime/Tape.c, as for all five.
llvm::Function *growFunction(llvm::Module &M);
/// base = shrink(base, index, bytes, keep): undoes that in the reverse of the
/// header, when the element is done with. The memory goes, unless it is to be
/// kept.
llvm::Function *shrinkFunction(llvm::Module &M);
/// malloc that stops the program with a message where it fails.
llvm::Function *tapeAllocFunction(llvm::Module &M);
/// free for what that has given out.
llvm::Function *tapeFreeFunction(llvm::Module &M);

/// Called with the list of deallocations that were put off, before they are
/// made: their memory stays with the program.
llvm::Function *tapeHoldFunction(llvm::Module &M);

/// Memory of the tapes of \p M comes from malloc one by one, and derivatives
/// there have no thread-local variables (Options::Allocator).
bool hasPlainTapes(const llvm::Module &M);

/// Takes the function behind adze_release_memory() out of \p M again, if
/// nothing is left there that keeps memory.
void eraseUnusedRelease(llvm::Module &M);

} // namespace adze
#endif
