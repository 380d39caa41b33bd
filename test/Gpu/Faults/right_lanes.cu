// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How lanes read from others: AMDGPU's own ways, and CUDA's.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// result: y = [x[i // 16 * 16 + 15 - i % 16] + x[i ^ 1] + (x[i + 1] if i % 16 < 15 else 0) for i in range(64)]
// faults: none
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = threadIdx.x;
#ifdef __AMDGCN__
  int v = __builtin_bit_cast(int, x[i]);
  int mirrored = __builtin_amdgcn_mov_dpp(v, 0x140, 0xf, 0xf, true);
  int neighbour = __builtin_amdgcn_ds_swizzle(v, 0x041f);
  int next = __builtin_amdgcn_update_dpp(0, v, 0x101, 0xf, 0xf, true);
  y[i] = __builtin_bit_cast(float, mirrored) + __builtin_bit_cast(float, neighbour) +
         __builtin_bit_cast(float, next);
#else
  float mirrored = __shfl_xor_sync(ALL_LANES, x[i], 15);
  float neighbour = __shfl_xor_sync(ALL_LANES, x[i], 1);
  float next = __shfl_down_sync(ALL_LANES, x[i], 1, 16);
  y[i] = mirrored + neighbour + (i % 16 < 15 ? next : 0);
#endif
}
