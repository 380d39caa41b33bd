// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulated machine: one block of threads at a time, each thread a fiber.
#ifndef ADZE_TEST_GPU_MACHINE_H
#define ADZE_TEST_GPU_MACHINE_H
#include "emulator.h"
#include "fibers.h"
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace gpu {

struct Index {
  uint32_t X, Y, Z;
};

constexpr unsigned MaxLanes = 64;

// What the lanes of a warp do together. Barrier is for the whole block.
enum class Wait { None, Barrier, WarpBarrier, Shuffle, Push, Vote };

struct Thread {
  unsigned Number, Warp, Lane;
  Index Position;
  std::unique_ptr<Fiber> Code;
  bool Done = false;
  // What it waits for, with what it brings and what it gets.
  Wait For = Wait::None;
  unsigned Place = 0;          // in the source
  std::vector<unsigned> Calls; // the places of those that lead there
  unsigned BarrierId = 0;      // of Barrier
  uint64_t Mask = 0; // of the lanes that take part; 0: all that get here
  uint64_t Value = 0, Result = 0;
  unsigned SourceLane = 0;
  // When it last met each lane of its warp: what happened before there is
  // ordered.
  std::array<uint32_t, MaxLanes> Met{};

  bool isAt(const Thread &O) const {
    return Place == O.Place && Calls == O.Calls;
  }
  bool isBefore(const Thread &O) const {
    std::vector<unsigned> A = Calls, B = O.Calls;
    A.push_back(Place);
    B.push_back(O.Place);
    return A < B;
  }
  bool ready() const { return !Done && For == Wait::None; }
};

class Machine {
public:
  // Fields that the emulator's parts share.
  const GpuModule *Module = nullptr;
  GpuLaunch Launch{};
  GpuCounts Counts{};
  Index Block{};
  unsigned BlockNumber = 0;
  uint32_t Epoch = 0; // barriers of the block so far
  std::vector<Thread> Threads;
  Thread *Current = nullptr;
  unsigned Place = 0;
  std::mt19937_64 Random;
  std::vector<std::string> Faults;

  bool launch(void (*Kernel)(void **), void **Arguments);
  // Lets another thread run; returns when the scheduler comes back to this one.
  void switchThread();
  void waitFor(Wait For);
  // Notes a fault; of the same text, one.
  void fault(const std::string &Text);
  // Notes a fault and ends the launch.
  [[noreturn]] void stop(const std::string &Text);
  std::string placeName(unsigned Place) const;

private:
  bool runBlock(void (*Kernel)(void **), void **Arguments);
  Thread *pick();
  bool releaseBarriers();
  bool releaseWarps(bool Stuck);
  void reportDeadlock();
  bool Stopped = false;
};

Machine &machine();

// warp.cpp: completes what lanes of a warp wait for; returns whether any did.
// Where the target names no mask, the lanes take part that are there when
// nothing else can run.
bool completeWarp(Thread *Lanes, unsigned NumLanes, bool Stuck);
uint64_t shuffle(uint64_t Mask, uint64_t Value, unsigned SourceLane);
// What the last of the lanes gives that name this one; zero if none does.
uint64_t push(uint64_t Value, unsigned ToLane);
uint64_t ballot(uint64_t Mask, bool Value);
void warpBarrier(uint64_t Mask);
// A value of each thread of the block at a barrier: how many are true.
unsigned countAtBarrier(bool Value);

} // namespace gpu
#endif
