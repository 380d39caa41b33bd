// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of the target's own: of a block, that wrap around, compare and exchange.
// launch: grid 1 block 64
// x: active 64
// y: active 2
// count: scratch [0] * 2
// result: y = [y[0] + sum(x), y[1] + 64 // 5 * 5]
// faults: none
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, int *count) {
  __shared__ double part;
  int i = threadIdx.x;
  if (i == 0)
    part = 0;
  __syncthreads();
#ifdef __AMDGCN__
  __builtin_amdgcn_global_atomic_fadd_f64((__attribute__((address_space(1))) double *)y, x[i]);
  int before = i % 5;
#else
  __nvvm_atom_cta_add_gen_d(&part, x[i]);
  int before = __nvvm_atom_inc_gen_ui((unsigned *)count, 4);
#endif
  int old = atomicCAS(&count[1], 0, 1);
  if (old == 0 && i < 64)
    atomicAdd(&y[1], 60.0);
  __syncthreads();
#ifndef __AMDGCN__
  if (i == 0)
    atomicAdd(&y[0], part);
  if (before > 4)
    atomicAdd(&y[1], 1.0);
#endif
}
