// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers one question: may memory that an instruction read be overwritten or
// freed before the reverse pass reads it again, that is at any time from the
// read to the end of the (augmented) primal, and, for memory of the caller,
// until the reverse pass runs? MemorySSA and alias analysis in cross-iteration
// mode; the caller's promise is per pointer argument.
#ifndef ADZE_MEMORYINFO_H
#define ADZE_MEMORYINFO_H

namespace llvm {
class Instruction;
class raw_ostream;
} // namespace llvm

namespace adze {

class MemoryInfo {
public:
  virtual ~MemoryInfo();
  /// The memory that \p Read (load, memcpy/memmove source, call) reads may
  /// differ when the reverse pass reads it again.
  virtual bool mayBeOverwritten(const llvm::Instruction *Read) const = 0;
  /// A witness for that: the instruction that may overwrite; null if it is
  /// the caller, or if the read survives.
  virtual const llvm::Instruction *
  overwriter(const llvm::Instruction *Read) const = 0;
  virtual void print(llvm::raw_ostream &OS) const = 0;
};

} // namespace adze
#endif
