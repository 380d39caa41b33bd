// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes read by patterns in the instruction, as DPP has them on AMDGPU; some of them not
// at all, and keep what they had.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
#ifdef __AMDGCN__
#define READ(old, v, control, rows, banks)                                                     \
  __builtin_bit_cast(float,                                                                    \
                     __builtin_amdgcn_update_dpp(__builtin_bit_cast(int, float(old)),          \
                                                 __builtin_bit_cast(int, float(v)), control,   \
                                                 rows, banks, false))
#define REVERSED(v)                                                                            \
  __builtin_bit_cast(                                                                          \
      float, __builtin_amdgcn_mov_dpp(__builtin_bit_cast(int, float(v)), 0x140, 15, 15, true))
__device__ double atLeast(double old, double v) { // of the lane before, in the row
  union {
    double d;
    int w[2];
  } o = {old}, x = {v}, y;
  y.w[0] = __builtin_amdgcn_update_dpp(o.w[0], x.w[0], 0x111, 15, 15, false);
  y.w[1] = __builtin_amdgcn_update_dpp(o.w[1], x.w[1], 0x111, 15, 15, false);
  return y.d;
}
#else
__device__ int sourceOf(int control, int rows, int banks, int lane) {
  int row = lane & 16, in = lane & 15, by = control & 15; // (a warp has two rows)
  bool reads = (rows >> (threadIdx.x / 16) & 1) && (banks >> (in / 4) & 1);
  int from = control < 0x100         ? (lane & 28) | (control >> (2 * (lane & 3)) & 3)
             : control >> 4 == 0x10  ? (in + by < 16 ? lane + by : -1)
             : control >> 4 == 0x11  ? (in >= by ? lane - by : -1)
             : control >> 4 == 0x12  ? row + ((in - by) & 15)
             : control == 0x141      ? lane ^ 7
                                     : -1;
  return reads ? from : -1;
}
__device__ float READ(float old, float v, int control, int rows, int banks) {
  int lane = threadIdx.x & 31, from = sourceOf(control, rows, banks, lane);
  float other = __shfl_sync(ALL_LANES, v, from < 0 ? lane : from);
  return from < 0 ? old : other;
}
#define REVERSED(v) __shfl_xor_sync(ALL_LANES, v, 15)
__device__ double atLeast(double old, double v) {
  double other = __shfl_up_sync(ALL_LANES, v, 1, 16);
  return threadIdx.x % 16 == 0 ? old : other;
}
#endif
__device__ void body(const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i], w = v * v;
  float sum = READ(0, v, 0x1b, 15, 15) * w; // quads backwards
  sum += READ(v, w, 0x00, 15, 15) * v;      // the first of each quad
  sum += READ(w, v, 0x101, 15, 15) * v;
  sum += READ(0, w, 0x112, 15, 15) * w;
  sum += READ(1, v, 0x123, 0x5, 15) * w;
  sum += READ(v, v, 0x141, 15, 0x3) * w;
  sum += REVERSED(w) * v;
  y[i] = sum * (float)atLeast(2.0 * v, (double)v * w);
}
