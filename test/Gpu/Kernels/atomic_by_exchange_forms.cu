// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums by compare and exchange, as programs spell them: what is expected first is read plainly, or
// each time anew, floats move as integers, results are used by nobody.
// launch: grid 2 block 32
// x: active 64
// sum: active 4
// single: active 4
// less: active 2
// races: primal
// also: hip
// tolerance: 2e-4
// differences: 3e-2
#include "gpu.h"
__device__ double addDouble(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,
                    __builtin_bit_cast(unsigned long long,
                                       value + __builtin_bit_cast(double, assumed)));
  } while (assumed != old);
  return __builtin_bit_cast(double, old);
}
__device__ void addFloat(float *address, float value) {
  int *bits = (int *)address;
  int seen = __builtin_bit_cast(int, *address);
  while (true) {
    int want = seen;
    seen = atomicCAS(bits, want, __builtin_bit_cast(int, __builtin_bit_cast(float, want) + value));
    if (seen == want)
      break;
  }
}
__device__ void subtract(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old, assumed;
  do {
    assumed = *(volatile unsigned long long *)bits;
    old = atomicCAS(
        bits, assumed,
        __builtin_bit_cast(unsigned long long, __builtin_bit_cast(double, assumed) - value));
  } while (old != assumed);
}
__device__ void body(const double *x, double *sum, float *single, double *less) {
  int i = globalThread();
  addDouble(&sum[i % 4], x[i] * x[i]);
  addFloat(&single[(i + 1) % 4], float(x[i] * x[i]));
  subtract(&less[i & 1], x[i] * x[(i + 1) % 64]);
}
