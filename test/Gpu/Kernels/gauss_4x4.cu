// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elimination with pivots by rows, one system a thread.
// launch: grid 1 block 32
// a: active 512
// b: active 128
#include "gpu.h"
__device__ void body(const double *a, double *b) {
  int i = threadIdx.x;
  double m[4][5];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c)
      m[r][c] = a[16 * i + 4 * r + c] + (r == c ? 4 : 0);
    m[r][4] = b[4 * i + r];
  }
  for (int c = 0; c < 4; ++c)
    for (int r = c + 1; r < 4; ++r) {
      double f = m[r][c] / m[c][c];
      for (int k = c; k < 5; ++k)
        m[r][k] -= f * m[c][k];
    }
  for (int r = 3; r >= 0; --r) {
    for (int c = r + 1; c < 4; ++c)
      m[r][4] -= m[r][c] * m[c][4];
    m[r][4] /= m[r][r];
  }
  for (int r = 0; r < 4; ++r)
    b[4 * i + r] = m[r][4];
}
