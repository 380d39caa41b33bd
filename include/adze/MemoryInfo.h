// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers one question: may memory that an instruction read be overwritten or
// freed before the reverse pass reads it again, that is at any time from the
// read to the end of the (augmented) primal, and, for memory of the caller,
// until the reverse pass runs? This is the to-be-recorded analysis of Hascoet,
// Naumann and Pascual on LLVM's alias analysis, in cross-iteration mode where
// reader or writer stand in a loop; the caller's promise is per pointer
// argument.
//
// What does not count as overwriting: lifetime markers (the derivative drops
// them), and releases that \p StaysAllocated of analyzeMemory names.
// Sound: "survives" is a proof. const once built.
#ifndef ADZE_MEMORYINFO_H
#define ADZE_MEMORYINFO_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Instruction;
class Loop;
class StoreInst;
class raw_ostream;
} // namespace llvm

namespace adze {

struct CallerWrites;

class MemoryInfo {
public:
  virtual ~MemoryInfo();
  /// The memory that \p Read (load, memcpy/memmove source, atomic, call)
  /// reads may differ when the reverse pass reads it again. An instruction
  /// that overwrites what it has read itself counts. False for instructions
  /// that read no memory.
  virtual bool mayBeOverwritten(const llvm::Instruction *Read) const = 0;
  /// A witness for that: the instruction that may overwrite; null if it is
  /// the caller (or another thread), or if the read survives.
  virtual const llvm::Instruction *
  overwriter(const llvm::Instruction *Read) const = 0;
  /// The outermost loop around \p Read, a load, while which runs nothing
  /// changes the memory that the load reads in any iteration; null if there is
  /// none.
  virtual const llvm::Loop *
  invariantIn(const llvm::Instruction *Read) const = 0;
  /// What \p Store stores is still there when the reverse pass runs, in each
  /// iteration of the loops around it.
  virtual bool storeSurvives(const llvm::StoreInst *Store) const = 0;
  /// Request::MayBeOverwritten for a split derivative of the callee of
  /// \p Call. Writes of the callee itself do not count (unless the call is
  /// repeated by a loop): it knows of them.
  virtual CallerWrites overwrittenAfter(const llvm::CallBase &Call) const = 0;
  virtual void print(llvm::raw_ostream &OS) const = 0;
};

} // namespace adze
#endif
