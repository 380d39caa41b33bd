// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of llsq.h by hand: d_x_j = - sum_i r_i t_i^j. Every point is done
// at once, its residual and then its share, so nothing is kept but the powers
// of t, which the second loop reads.

#include "llsq.h"

#include <stdlib.h>

void llsq_hand(int n, int m, const double *restrict x, double *restrict d_x) {
  double *restrict powers = malloc((size_t)m * sizeof(double));
  for (int i = 0; i < n; i++) {
    double t = -1.0 + i * 2.0 / (n - 1.0);
    double residual = t < 0.0 ? -1.0 : t > 0.0 ? 1.0 : 0.0;
    double power = 1.0;
    for (int j = 0; j < m; j++) {
      residual -= x[j] * power;
      powers[j] = power;
      power *= t;
    }
    for (int j = 0; j < m; j++)
      d_x[j] -= residual * powers[j];
  }
  free(powers);
}
