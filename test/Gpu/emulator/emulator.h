// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runner calls: it loads a program that HostCode has made, registers
// buffers, and launches kernels. Everything runs on the calling thread.
#ifndef ADZE_TEST_GPU_EMULATOR_H
#define ADZE_TEST_GPU_EMULATOR_H
#include <cstdint>

extern "C" {
// A row of the tables that HostCode writes.
struct GpuRow {
  const char *Name;
  void *Address;
  uint64_t
      Number; // Arguments of a kernel; of a variable, its size * 4 + its space.
};
struct GpuModule {
  const GpuRow *Kernels;
  uint64_t NumKernels;
  const GpuRow *Variables;
  uint64_t NumVariables;
  const GpuRow *Places;
  uint64_t NumPlaces;
  uint64_t Granule;
};

struct GpuLaunch {
  uint32_t Grid[3];
  uint32_t Block[3];
  uint32_t DynamicShared; // bytes
  uint32_t WarpSize;
  uint32_t
      Order; // of threads and blocks: 0 ascending, 1 descending, 2 by the seed
  uint32_t
      EachAccess; // whether threads may be switched at each access to memory
  uint64_t Seed;
};

// What a launch did. Memory that other threads may see is counted apart from a
// thread's own.
struct GpuCounts {
  uint64_t Instructions, GlobalBytes, SharedBytes, LocalBytes, Atomics,
      Barriers;
};

void gpu_load(const GpuModule *Module);
void gpu_add_buffer(void *Address, uint64_t Size, const char *Name);
void gpu_remove_buffer(void *Address);
// 0 if no fault was found. Faults are lines of text.
int gpu_launch(const char *Kernel, void **Arguments, const GpuLaunch *Launch,
               GpuCounts *Counts);
const char *gpu_faults();
}
#endif
