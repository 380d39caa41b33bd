// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest of a block in double precision. Of equal numbers one has the adjoint.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// races: primal
// result: y = [a * max(b * b for b in x[i // 64 * 64:i // 64 * 64 + 64]) for i, a in enumerate(x)]
#include "gpu.h"
__device__ void largest(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,
                    __builtin_bit_cast(unsigned long long,
                                       fmax(value, __builtin_bit_cast(double, assumed))));
  } while (assumed != old);
}
__device__ void body(const double *x, double *y) {
  __shared__ double top;
  int i = globalThread();
  if (threadIdx.x == 0)
    top = -1e300;
  __syncthreads();
  largest(&top, x[i] * x[i]);
  __syncthreads();
  y[i] = x[i] * top;
}
