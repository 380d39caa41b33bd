// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers: functions with stacks of their own that give way to each other.
#ifndef ADZE_TEST_GPU_FIBERS_H
#define ADZE_TEST_GPU_FIBERS_H
#include <csetjmp>
#include <cstddef>
#include <functional>
#include <ucontext.h>

namespace gpu {

class Fiber {
public:
  explicit Fiber(std::function<void()> Body);
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  // Runs the fiber until it gives way or ends.
  void resume();
  // Called in the fiber: goes back to whoever resumed it.
  void giveWay();
  bool ended() const { return Ended; }
  bool ownsAddress(const void *Address) const {
    auto *Byte = static_cast<const char *>(Address);
    return Byte >= Stack && Byte < Stack + StackSize;
  }
  static constexpr size_t StackSize = size_t(1) << 20;

private:
  static void enter(unsigned High, unsigned Low);
  std::function<void()> Body;
  char *Stack;
  bool Started = false, Ended = false;
  ucontext_t Begin{};
  jmp_buf Here, Back;
};

} // namespace gpu
#endif
