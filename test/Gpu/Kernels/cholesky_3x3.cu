// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small matrices are decomposed, one a thread.
// launch: grid 1 block 32
// a: active 288 in -0.3 0.3
// y: active 32
#include "gpu.h"
__device__ void body(const double *a, double *y) {
  int i = threadIdx.x;
  double m[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      m[r][c] = a[9 * i + 3 * r + c] + (r == c ? 3 : 0);
  double determinant = 1;
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < c; ++k)
      m[c][c] -= m[c][k] * m[c][k];
    m[c][c] = sqrt(m[c][c]);
    determinant *= m[c][c];
    for (int r = c + 1; r < 3; ++r) {
      for (int k = 0; k < c; ++k)
        m[r][c] -= m[r][k] * m[c][k];
      m[r][c] /= m[c][c];
    }
  }
  y[i] = log(determinant) + m[2][0] * m[2][1];
}
