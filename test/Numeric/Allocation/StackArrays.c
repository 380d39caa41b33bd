// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variable length arrays and alloca, also in a callee that is called in a loop.
#include "check.h"
#include <alloca.h>
#include <math.h>

static double inner(const double *x, int n) {
  double a[n];
  double *b = (double *)alloca((unsigned)n * sizeof *b);
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    b[i] = a[i] * (i + 1);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[n - 1 - i];
  return s;
}

double stack(const double *x, int n) {
  double s = 0;
  for (int k = 1; k <= n; ++k)
    s = 0.5 * s + inner(x, k) * (1 + s);
  return s;
}

ADZE_TEST_ARRAY(stack, 4, ADZE_AT(0.9, 0.8, -0.7, 0.5))

// Beside an active variable of the program, which code that is not known may touch.
double weight;

double beside(const double *x, int n) {
  double s = 0;
  weight = x[0];
  for (int k = 1; k <= n; ++k) {
    double a[k], unused[k];
    for (int i = 0; i < k; ++i) {
      a[i] = weight * x[i];
      unused[i] = a[i];
    }
    weight += 0.5 * a[k - 1] * a[0];
    s += sin(a[k / 2]) * weight;
  }
  return s;
}

ADZE_TEST_ARRAY(beside, 4, ADZE_AT(0.9, 0.8, -0.7, 0.5))
