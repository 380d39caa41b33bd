// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures in shared memory, of floats and integers.
// launch: grid 2 block 32
// x: active 64
// y: active 64
#include "gpu.h"
struct Entry {
  double value;
  int index;
  float weight;
};
__device__ void body(const double *x, double *y) {
  __shared__ Entry table[32];
  int t = threadIdx.x, i = globalThread();
  table[t].value = x[i] * 2;
  table[t].index = (t * 5 + 1) % 32;
  table[t].weight = static_cast<float>(t) * 0.125f;
  __syncthreads();
  const Entry &e = table[31 - t];
  y[i] = e.value * table[e.index].value * e.weight;
}
