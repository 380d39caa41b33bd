// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that threads share: what there is, and who has touched it.
#ifndef ADZE_TEST_GPU_MEMORY_H
#define ADZE_TEST_GPU_MEMORY_H
#include "machine.h"
#include "races.h"

namespace gpu {

// Of the tape's memory a warp has a part after another one, and atomic
// operations of ours order the two: there are no races to find.
enum class Space { Global, Shared, Constant, Tape };

struct Region {
  std::string Name;
  char *Base;
  uint64_t Size;
  Space Where;
  std::vector<Cell> Cells; // one for each granule, made at the first access
};

class Memory {
public:
  void add(std::string Name, void *Base, uint64_t Size, Space Where);
  void remove(void *Base);
  Region *find(const void *Address);
  void beginLaunch();
  // Shared memory holds no numbers when a block starts: all of its bits are
  // one.
  void beginBlock(uint64_t DynamicShared);
  std::string describe(const Region &R, uint64_t Offset) const;

  static constexpr uint64_t MaxDynamicShared = uint64_t(256) << 10;

private:
  std::vector<std::unique_ptr<Region>> Regions; // by address
  Region *Last = nullptr;
};

Memory &memory();

} // namespace gpu
#endif
