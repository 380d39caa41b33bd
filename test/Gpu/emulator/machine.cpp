// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: blocks one after the other, the threads of a block in any order.
#include "machine.h"
#include "memory.h"
#include "tape.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

using namespace gpu;

Machine &gpu::machine() {
  static Machine Instance;
  return Instance;
}

std::string Machine::placeName(unsigned Place) const {
  return Place < Module->NumPlaces ? Module->Places[Place].Name : "?";
}

void Machine::fault(const std::string &Text) {
  // A race at another byte is the same race.
  auto Kind = [](const std::string &S) {
    std::string Letters;
    std::copy_if(S.begin(), S.end(), std::back_inserter(Letters),
                 [](char C) { return C < '0' || C > '9'; });
    return Letters;
  };
  for (const std::string &Old : Faults)
    if (Kind(Old) == Kind(Text))
      return;
  if (Faults.size() < 4)
    Faults.push_back(Text);
}

void Machine::stop(const std::string &Text) {
  fault(Text);
  Stopped = true;
  Current->Code->giveWay();
  std::abort(); // Nobody resumes a thread of a launch that has been stopped.
}

void Machine::switchThread() { Current->Code->giveWay(); }

void Machine::waitFor(Wait For) {
  Current->For = For;
  Current->Place = Place;
  switchThread();
  Place = Current->Place; // others have been at theirs meanwhile
}

Thread *Machine::pick() {
  std::vector<Thread *> Ready;
  for (Thread &T : Threads)
    if (T.ready())
      Ready.push_back(&T);
  if (Ready.empty())
    return nullptr;
  switch (Launch.Order) {
  case 0:
    return Ready.front();
  case 1:
    return Ready.back();
  default:
    return Ready[Random() % Ready.size()];
  }
}

// Threads that have ended count as if they were at each barrier.
bool Machine::releaseBarriers() {
  unsigned Id = 0, Waiting = 0;
  for (const Thread &T : Threads) {
    if (T.Done)
      continue;
    if (T.For != Wait::Barrier || (Waiting && T.BarrierId != Id))
      return false;
    Id = T.BarrierId;
    ++Waiting;
  }
  if (!Waiting)
    return false;
  ++Counts.Barriers;
  ++Epoch;
  const Thread *First = nullptr;
  uint64_t Sum = 0;
  for (Thread &T : Threads)
    if (!T.Done) {
      if (First && T.Place != First->Place)
        fault("barrier: thread " + std::to_string(First->Number) + " is at " +
              placeName(First->Place) + ", thread " + std::to_string(T.Number) +
              " at " + placeName(T.Place));
      First = First ? First : &T;
      Sum += T.Value;
    }
  for (Thread &T : Threads)
    if (!T.Done) {
      T.For = Wait::None;
      T.Result = Sum;
    }
  return true;
}

bool Machine::releaseWarps(bool Stuck) {
  bool Any = false;
  for (size_t First = 0; First < Threads.size(); First += Launch.WarpSize) {
    auto Lanes = std::min<size_t>(Launch.WarpSize, Threads.size() - First);
    Any |= completeWarp(&Threads[First], static_cast<unsigned>(Lanes), Stuck);
  }
  return Any;
}

void Machine::reportDeadlock() {
  static const char *const Names[] = {
      "",          "a barrier", "a barrier of the warp",
      "a shuffle", "a push",    "a vote"};
  std::set<std::pair<unsigned, int>> Seen;
  std::string Text;
  for (const Thread &T : Threads) {
    if (T.Done || !Seen.insert({T.Place, static_cast<int>(T.For)}).second)
      continue;
    auto Same =
        std::count_if(Threads.begin(), Threads.end(), [&](const Thread &O) {
          return !O.Done && O.Place == T.Place && O.For == T.For;
        });
    Text += (Text.empty() ? "" : "; ") + std::to_string(Same) +
            " threads, thread " + std::to_string(T.Number) +
            " among them, wait at " + Names[static_cast<int>(T.For)] + " in " +
            placeName(T.Place);
  }
  fault("deadlock: " + Text);
}

bool Machine::runBlock(void (*Kernel)(void **), void **Arguments) {
  memory().beginBlock(Launch.DynamicShared);
  Epoch = 0;
  Threads.clear();
  Threads.resize(Launch.Block[0] * Launch.Block[1] * Launch.Block[2]);
  for (unsigned I = 0; I < Threads.size(); ++I) {
    Thread &T = Threads[I];
    T.Number = I;
    T.Warp = I / Launch.WarpSize;
    T.Lane = I % Launch.WarpSize;
    T.Position = {I % Launch.Block[0], I / Launch.Block[0] % Launch.Block[1],
                  I / (Launch.Block[0] * Launch.Block[1])};
    T.Met[T.Lane] = 1;
    T.Code = std::make_unique<Fiber>([=] { Kernel(Arguments); });
  }
  for (;;) {
    Current = pick();
    if (Current) {
      Current->Code->resume();
      if (Stopped)
        return false;
      Current->Done = Current->Code->ended();
      bool Blocked = Current->Done || Current->For != Wait::None;
      if (Blocked && Current->For != Wait::Barrier)
        releaseWarps(false);
      continue;
    }
    // Nobody can run: all have ended, or what they wait for has come, or never
    // will.
    if (std::all_of(Threads.begin(), Threads.end(),
                    [](const Thread &T) { return T.Done; }))
      return true;
    if (!releaseWarps(true) && !releaseBarriers()) {
      reportDeadlock();
      return false;
    }
  }
}

bool Machine::launch(void (*Kernel)(void **), void **Arguments) {
  Stopped = false;
  memory().beginLaunch();
  unsigned Blocks = Launch.Grid[0] * Launch.Grid[1] * Launch.Grid[2];
  std::vector<unsigned> Order(Blocks);
  std::iota(Order.begin(), Order.end(), 0u);
  if (Launch.Order == 1)
    std::reverse(Order.begin(), Order.end());
  if (Launch.Order == 2)
    std::shuffle(Order.begin(), Order.end(), Random);
  for (unsigned Number : Order) {
    BlockNumber = Number;
    Block = {Number % Launch.Grid[0], Number / Launch.Grid[0] % Launch.Grid[1],
             Number / (Launch.Grid[0] * Launch.Grid[1])};
    if (!runBlock(Kernel, Arguments))
      break;
  }
  Threads.clear();
  return Faults.empty();
}

extern "C" {

void gpu_load(const GpuModule *Module) {
  machine().Module = Module;
  static const Space Spaces[] = {Space::Global, Space::Shared, Space::Constant};
  for (uint64_t I = 0; I < Module->NumVariables; ++I) {
    const GpuRow &V = Module->Variables[I];
    memory().add(V.Name, V.Address, V.Number >> 2, Spaces[V.Number & 3]);
  }
  giveTape(*Module);
}

int gpu_launch(const char *Kernel, void **Arguments, const GpuLaunch *Launch,
               GpuCounts *Counts) {
  Machine &M = machine();
  M.Launch = *Launch;
  M.Counts = {};
  M.Faults.clear();
  M.Random.seed(Launch->Seed);
  bool Known = false;
  for (uint64_t I = 0; I < M.Module->NumKernels; ++I)
    if (!std::strcmp(M.Module->Kernels[I].Name, Kernel)) {
      Known = true;
      M.launch(
          reinterpret_cast<void (*)(void **)>(M.Module->Kernels[I].Address),
          Arguments);
    }
  if (!Known)
    M.fault(std::string("there is no kernel ") + Kernel);
  *Counts = M.Counts;
  return M.Faults.empty() ? 0 : 1;
}

const char *gpu_faults() {
  static std::string Text;
  Text.clear();
  for (const std::string &F : machine().Faults)
    Text += F + "\n";
  return Text.c_str();
}
}
