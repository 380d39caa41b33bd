// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mask names lanes that wait elsewhere.
// launch: grid 1 block 32
// x: active 32
// faults: deadlock: .* wait at a barrier .* wait at a shuffle|deadlock: .* wait at a shuffle .* wait at a barrier
#include "gpu.h"
__device__ void body(double *x) {
  int i = threadIdx.x;
  if (i < 16)
    x[i] += __shfl_xor_sync(0xffffffffu, x[i], 1);
  __syncthreads();
  x[i] *= x[i];
}
