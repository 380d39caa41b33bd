// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory of NVIDIA's GPUs, of which shadows have the second
// half.
#include "Runtime.h"

/// How many bytes the program has of it. The launch of a derivative asks for
/// twice as many and 4 more (adze_gpu_shared() in include/adze/gpu.h): a kernel
/// that finds another number would take the program's memory for shadows.
__attribute__((always_inline)) uint32_t adze_shared_bytes(void) {
  uint32_t All;
  __asm__("mov.u32 %0, %%dynamic_smem_size;" : "=r"(All));
  if (All % 32 != 4)
    __builtin_trap();
  return (All - 4) / 2;
}
