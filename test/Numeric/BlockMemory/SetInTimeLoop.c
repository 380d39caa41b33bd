// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer set to zero in every time step, accumulated into, then squared into the state.
// ADZE: vectorized
#include "check.h"
#include <string.h>

void steps(double *u) {
  double flux[5];
  for (int t = 0; t < 4; ++t) {
    memset(flux, 0, sizeof flux);
    for (int i = 0; i < 4; ++i) {
      double d = u[i + 1] - u[i];
      flux[i] += d * u[i];
      flux[i + 1] -= d * u[i];
    }
    for (int i = 0; i < 5; ++i)
      u[i] += 0.1 * flux[i] * flux[i] + 0.05 * flux[i];
  }
}

ADZE_TEST_INPLACE(steps, 5, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6))
