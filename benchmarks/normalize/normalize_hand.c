// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of normalize.h by hand. With r = norm(x), y = x / r and the
// adjoint b_i = 2 (y_i - target_i) of y:
//
//   d_x += (b - y (b . y)) / r
//
// b is cheaper to compute twice than to keep.

#include "normalize.h"

#include <math.h>

void normalize_hand(int n, const double *restrict x, double *restrict d_x,
                    const double *restrict target, double *restrict y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  double norm = sqrt(sum);
  double along = 0.0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] / norm;
    along += 2.0 * (y[i] - target[i]) * y[i];
  }
  double scale = 1.0 / norm;
  for (int i = 0; i < n; i++)
    d_x[i] += (2.0 * (y[i] - target[i]) - y[i] * along) * scale;
}
