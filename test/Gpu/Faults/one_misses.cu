// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of the threads wait at another barrier.
// launch: grid 1 block 64
// x: active 64
// faults: barrier: thread \d+ is at (kernel_primal|_Z4body\w+) .*, thread \d+ at (kernel_primal|_Z4body)
// also: hip
#include "gpu.h"
__device__ void body(double *x) {
  int i = threadIdx.x;
  if (i < 32) {
    x[i] += 1;
    __syncthreads();
  } else {
    x[i] += 2;
    __syncthreads();
    x[i] *= x[i];
  }
}
