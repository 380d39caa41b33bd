// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// launch: grid 1 block 32
// x: active 31
// y: active 32
// faults: outside: .* reads beyond the end of x|outside: .* reads memory that is not there
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x]; }
