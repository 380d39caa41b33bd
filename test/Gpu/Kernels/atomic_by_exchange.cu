// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of doubles by compare and exchange, as before sm_60.
// launch: grid 2 block 32
// x: active 64
// sum: active 1
#include "gpu.h"
__device__ void add(double *p, double v) {
  unsigned long long *bits = reinterpret_cast<unsigned long long *>(p);
  unsigned long long old = atomicCAS(bits, 0ull, 0ull), assumed;
  do {
    assumed = old;
    double next = __builtin_bit_cast(double, assumed) + v;
    old = atomicCAS(bits, assumed, __builtin_bit_cast(unsigned long long, next));
  } while (old != assumed);
}
__device__ void body(const double *x, double *sum) { add(sum, x[globalThread()]); }
