// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maxima of positive floats by integers: in memory of integers, in dynamic memory of each warp, at
// places that only some threads have, and where one is filled again by another kind of number.
// launch: grid 2 block 64 shared 8
// x: active 128 in 0.5 2
// bin: const [i * 5 % 9 for i in range(128)]
// y: active 128
// planted: barriers
#include "gpu.h"
extern __shared__ float tops[];
__device__ void body(const float *x, const int *bin, float *y) {
  __shared__ int bits;
  __shared__ float of[4], again;
  int i = globalThread(), t = threadIdx.x, warp = t / 32, b = bin[i];
  if (t % 32 == 0)
    tops[warp] = 0.01f;
  if (t < 4)
    of[t] = 0.25f;
  if (t == 0) {
    bits = 0;
    again = 0;
  }
  __syncthreads();
  atomicMax(&bits, __builtin_bit_cast(int, x[i]));
  if (i % 3)
    atomicMax((int *)&tops[warp], __builtin_bit_cast(int, x[i] * x[i]));
  if (b < 4) // others have no place
    atomicMax((int *)&of[b], __builtin_bit_cast(int, x[i]));
  atomicMax((int *)&again, __builtin_bit_cast(int, x[i ^ 1]));
  __syncthreads();
  float sum = x[i] / __builtin_bit_cast(float, bits) + tops[0] * tops[1] + of[i % 4];
  if (t == 0) {
    sum += again * again;
    again = 0;
  }
  __syncthreads();
  if (t < 16)
    atomicMax((int *)&again, __builtin_bit_cast(int, x[i] * 0.5f));
  __syncthreads();
  y[i] = sum * x[i] + again;
}
