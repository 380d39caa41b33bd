// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads of a block add to one number without an atomic.
// launch: grid 1 block 32
// x: active 32
// sum: active 1
// faults: race: sum at byte 0: .* by thread
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *sum) { *sum += x[threadIdx.x]; }
