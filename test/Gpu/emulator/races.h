// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two accesses to one place, one of them a plain write, are a race unless
// something orders them: in a block a barrier, in a warp a barrier of the warp;
// between blocks nothing does. Shuffles and votes do not order memory.
#ifndef ADZE_TEST_GPU_RACES_H
#define ADZE_TEST_GPU_RACES_H
#include <cstdint>

namespace gpu {

// HostCode.cpp has the same numbers.
enum class Access { Read, Write, Atomic };

struct Record {
  bool Valid = false;
  uint16_t Thread = 0;
  uint32_t Epoch = 0, Meeting = 0, Place = 0;
};

// A block and where in the source it has accessed the cell.
struct BlockRecord {
  int Block = -1;
  uint32_t Place = 0;
};

// What has happened to a few bytes. Two records of each kind are enough: of
// three accesses that nothing orders, two different ones conflict with any
// thread.
struct Cell {
  int Block = -1; // of the records by threads
  Record Writes, Reads[2], Atomics[2];
  BlockRecord BlockWrites, BlockReads[2], BlockAtomics[2];
};

struct Region;
// Checks an access of the current thread and records it. One race for a pair of
// places is enough to report.
void checkAccess(Region &R, uint64_t Offset, uint64_t Size, Access Kind,
                 uint32_t Place);

} // namespace gpu
#endif
