// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of lse.h by hand: the softmax, exp(x_i - m) / sum.
//
// The derivatives through the largest x cancel, so it counts as a constant. The
// exponentials are kept, because one costs as much as ten loads.

#include "lse.h"

#include <math.h>
#include <stdlib.h>

void lse_hand(int n, const double *restrict x, double *restrict d_x) {
  double largest = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > largest)
      largest = x[i];
  double *restrict kept = malloc((size_t)n * sizeof(double));
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    kept[i] = exp(x[i] - largest);
    sum += kept[i];
  }
  double scale = 1.0 / sum;
  for (int i = 0; i < n; i++)
    d_x[i] += scale * kept[i];
  free(kept);
}
