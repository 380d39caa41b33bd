// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that ends the launch.
// launch: grid 1 block 32
// x: active 32
// faults: trap: (kernel_primal|_Z4body)
// also: hip
#include "gpu.h"
__device__ void body(double *x) {
  x[threadIdx.x] *= 2;
  if (threadIdx.x == 7)
    __builtin_trap();
}
