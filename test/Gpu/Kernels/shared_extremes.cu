// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest and the smallest of a block: as integers of positive floats, of both signs, and by
// compare and exchange. Who has won has the adjoint.
// launch: grid 2 block 32
// x: active 256
// y: active 64
// z: active 64
// steps: 3
// races: primal
// planted: barriers
#include "gpu.h"
__device__ void largest(float *address, float value) {
  if (value >= 0)
    atomicMax((int *)address, __builtin_bit_cast(int, value));
  else
    __nvvm_atom_min_gen_ui((unsigned *)address, __builtin_bit_cast(unsigned, value));
}
__device__ float largestByExchange(float *address, float value) {
  int *bits = (int *)address;
  int old = *bits, assumed;
  while (value > __builtin_bit_cast(float, old)) {
    assumed = old;
    old = atomicCAS(bits, assumed, __builtin_bit_cast(int, value));
    if (old == assumed)
      break;
  }
  return __builtin_bit_cast(float, old);
}
__device__ void smallest(float *address, float value) {
  int *bits = (int *)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(
        bits, assumed,
        __builtin_bit_cast(int, value < __builtin_bit_cast(float, assumed)
                                    ? value
                                    : __builtin_bit_cast(float, assumed)));
  } while (old != assumed);
}
__device__ void body(const float *x, float *y, float *z, int steps) {
  __shared__ float top, positive, low, of[2];
  int i = globalThread(), t = threadIdx.x;
  if (t == 0) {
    top = -10;
    low = 10;
    of[0] = of[1] = -5;
  }
  __syncthreads();
  largest(&top, x[i]);
  for (int k = i; k < 256; k += 64)
    smallest(&low, x[k] * x[k] + 0.5f * x[k]);
  largestByExchange(&of[t % 2], x[i] * x[i]);
  __syncthreads();
  y[i] = x[i] * top + low * low + of[t / 16];
  float v = 1.5f + x[i];
  for (int s = 0; s < steps; ++s) { // filled again, by some threads
    if (t == 0)
      positive = 0.1f;
    __syncthreads();
    if ((t + s) % 3 == 0)
      atomicMax((int *)&positive, __builtin_bit_cast(int, v));
    __syncthreads();
    v = v * 0.5f + 0.25f * positive * v;
    __syncthreads();
  }
  z[i] = v;
}
