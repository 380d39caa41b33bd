// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix times a vector, a row for each thread.
// launch: grid 2 block 32
// rows: const [3 * i + i % 3 for i in range(65)]
// columns: const [(i * 11 + 4) % 64 for i in range(200)]
// values: active 200
// x: active 64
// y: active 64
// also: hip
// result: y = [sum(values[k] * x[columns[k]] for k in range(rows[i], rows[i + 1])) for i in range(64)]
#include "gpu.h"
__device__ void body(const int *rows, const int *columns, const double *values, const double *x,
                     double *y) {
  int i = globalThread();
  double sum = 0;
  for (int k = rows[i]; k < rows[i + 1]; ++k)
    sum += values[k] * x[columns[k]];
  y[i] = sum;
}
