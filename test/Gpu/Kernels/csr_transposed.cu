// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transposed matrix: sums that are atomic in the kernel already.
// launch: grid 2 block 32
// rows: const [3 * i for i in range(65)]
// columns: const [(i * 11 + 4) % 64 for i in range(192)]
// values: active 192
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const int *rows, const int *columns, const double *values, const double *x,
                     double *y) {
  int i = globalThread();
  for (int k = rows[i]; k < rows[i + 1]; ++k)
    atomicAdd(&y[columns[k]], values[k] * x[i]);
}
