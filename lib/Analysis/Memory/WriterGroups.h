// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writers of one function by what their addresses start from.
#ifndef ADZE_LIB_ANALYSIS_MEMORY_WRITERGROUPS_H
#define ADZE_LIB_ANALYSIS_MEMORY_WRITERGROUPS_H

#include "Loops/WriteEffects.h"
#include "llvm/ADT/MapVector.h"

namespace adze {

/// A writer of one location, relative to its group's base.
struct Access {
  const llvm::Instruction *I;
  llvm::MemoryLocation Loc;
  int64_t Offset;
  size_t Order; // position in the function
};

/// Writers with the same base pointer.
struct Group {
  const llvm::Value *Base;
  std::vector<Access> Writers; // sorted by Offset
  uint64_t LargestWrite = 0;   // UINT64_MAX: not known for some
};

/// What \p Ptr is a constant \p Offset behind.
const llvm::Value *stripOffset(const llvm::Value *Ptr,
                               const llvm::DataLayout &DL, int64_t &Offset);

class WriterGroups {
public:
  explicit WriterGroups(const llvm::DataLayout &DL) : DL(DL) {}

  /// The locations that \p E writes; in the order of the function.
  void add(const WriteEffect &E);
  std::vector<Group> take();

private:
  const llvm::DataLayout &DL;
  llvm::MapVector<const llvm::Value *, Group> ByBase;
  size_t Order = 0;
};

} // namespace adze
#endif
