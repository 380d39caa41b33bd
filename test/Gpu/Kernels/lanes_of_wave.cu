// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value for all lanes, lanes that give to others, and swizzles: what AMDGPU has beside
// ds_bpermute.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
#ifdef __AMDGCN__
#define BITS(v) __builtin_bit_cast(int, float(v))
#define FLOAT(v) __builtin_bit_cast(float, v)
__device__ float sixth(float v) { return FLOAT(__builtin_amdgcn_readlane(BITS(v), 6)); }
__device__ float first(float v) { return FLOAT(__builtin_amdgcn_readfirstlane(BITS(v))); }
__device__ float give(float v, int to) {
  return FLOAT(__builtin_amdgcn_ds_permute((to & 63) << 2, BITS(v)));
}
__device__ float crossed(float v) { return FLOAT(__builtin_amdgcn_ds_swizzle(BITS(v), 0x0c1f)); }
__device__ float ofFours(float v) { return FLOAT(__builtin_amdgcn_ds_swizzle(BITS(v), 0x005c)); }
#else
__device__ float sixth(float v) { return __shfl_sync(ALL_LANES, v, 6); }
__device__ float first(float v) {
  unsigned taking = __nvvm_activemask();
  return __shfl_sync(taking, v, __builtin_ctz(taking));
}
__device__ float give(float v, int to) {
  float got = 0;
  for (int from = 0; from < 32; ++from) {
    float other = __shfl_sync(ALL_LANES, v, from);
    if (__shfl_sync(ALL_LANES, to & 31, from) == (threadIdx.x & 31))
      got = other;
  }
  return got;
}
__device__ float crossed(float v) { return __shfl_xor_sync(ALL_LANES, v, 3); }
__device__ float ofFours(float v) { return __shfl_sync(ALL_LANES, v, (threadIdx.x & 28) | 2); }
#endif
__device__ void body(const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i], w = v * v;
  float sum = sixth(w) * v + first(v) * w + crossed(w) * v + ofFours(v) * w;
  sum += give(v, i * 3 + 1) * w;
  sum += give(w, i / 2) * v; // two give to one: the last one is it
  if (i % 8 > 2)
    sum += first(w) * v;
  y[i] = sum;
}
