// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp do together. CUDA names the lanes that take part,
// and each of them has to come. On AMDGPU those take part that execute the
// instruction together: here, those that are at the same place when no thread
// can go on. Of several places, the earliest in the source is first, for lanes
// behind a branch wait for those within.
#include "machine.h"
#include <algorithm>

using namespace gpu;

static constexpr uint64_t NoValue =
    ~uint64_t(0); // of a lane that takes no part

static bool isWarpWait(Wait W) { return W != Wait::None && W != Wait::Barrier; }

// The lanes that wait as T does, if they are all that its mask names.
static uint64_t lanesThatCame(const Thread &T, Thread *Lanes,
                              unsigned NumLanes) {
  uint64_t Came = 0;
  for (unsigned I = 0; I < NumLanes; ++I) {
    const Thread &Other = Lanes[I];
    bool Same = !Other.Done && Other.For == T.For && Other.Mask == T.Mask &&
                (T.Mask || Other.isAt(T));
    if (Same)
      Came |= uint64_t(1) << I;
    else if ((T.Mask >> I & 1) && !Other.Done)
      return 0;
  }
  return Came;
}

static void complete(Thread *Lanes, unsigned NumLanes, uint64_t Came) {
  uint64_t Votes = 0;
  std::array<uint32_t, MaxLanes> Latest{};
  for (unsigned I = 0; I < NumLanes; ++I) {
    if (!(Came >> I & 1))
      continue;
    Votes |= uint64_t(Lanes[I].Value != 0) << I;
    for (unsigned L = 0; L < MaxLanes; ++L)
      Latest[L] = std::max(Latest[L], Lanes[I].Met[L]);
  }
  for (unsigned I = 0; I < NumLanes; ++I) {
    if (!(Came >> I & 1))
      continue;
    Thread &T = Lanes[I];
    if (T.For == Wait::Vote)
      T.Result = Votes;
    else if (T.For == Wait::Shuffle)
      T.Result = T.SourceLane < NumLanes && (Came >> T.SourceLane & 1)
                     ? Lanes[T.SourceLane].Value
                     : NoValue;
    else if (T.For == Wait::Push) {
      T.Result = 0;
      for (unsigned L = 0; L < NumLanes; ++L)
        if ((Came >> L & 1) && Lanes[L].SourceLane == I)
          T.Result = Lanes[L].Value;
    } else {
      T.Met = Latest;
      // Later accesses of others are ordered behind this meeting only.
      for (unsigned L = 0; L < NumLanes; ++L)
        if (Came >> L & 1)
          T.Met[L] = Latest[L] + 1;
    }
    T.For = Wait::None;
  }
}

bool gpu::completeWarp(Thread *Lanes, unsigned NumLanes, bool Stuck) {
  bool Any = false;
  const Thread *Earliest = nullptr;
  for (unsigned I = 0; I < NumLanes; ++I) {
    Thread &T = Lanes[I];
    if (T.Done || !isWarpWait(T.For))
      continue;
    if (!T.Mask) {
      if (!Earliest || T.isBefore(*Earliest))
        Earliest = &T;
      continue;
    }
    if (uint64_t Came = lanesThatCame(T, Lanes, NumLanes)) {
      complete(Lanes, NumLanes, Came);
      Any = true;
    }
  }
  if (Stuck && Earliest) {
    complete(Lanes, NumLanes, lanesThatCame(*Earliest, Lanes, NumLanes));
    Any = true;
  }
  return Any;
}

static Thread &join(uint64_t Mask, Wait For, uint64_t Value) {
  Machine &M = machine();
  Thread &T = *M.Current;
  if (Mask && !(Mask >> T.Lane & 1))
    M.stop("warp: " + M.placeName(M.Place) +
           ": the mask does not name the lane that calls");
  T.Mask = Mask;
  T.Value = Value;
  M.waitFor(For);
  return T;
}

uint64_t gpu::shuffle(uint64_t Mask, uint64_t Value, unsigned SourceLane) {
  machine().Current->SourceLane = SourceLane;
  return join(Mask, Wait::Shuffle, Value).Result;
}

uint64_t gpu::push(uint64_t Value, unsigned ToLane) {
  machine().Current->SourceLane = ToLane;
  return join(0, Wait::Push, Value).Result;
}

uint64_t gpu::ballot(uint64_t Mask, bool Value) {
  return join(Mask, Wait::Vote, Value).Result;
}

void gpu::warpBarrier(uint64_t Mask) { join(Mask, Wait::WarpBarrier, 0); }

unsigned gpu::countAtBarrier(bool Value) {
  machine().Current->Value = Value;
  machine().waitFor(Wait::Barrier);
  return static_cast<unsigned>(machine().Current->Result);
}
