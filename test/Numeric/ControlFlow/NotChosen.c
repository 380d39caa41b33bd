// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that compute what is chosen or not: the least, what has a cap, what the
// step before had, products that go through several steps.
#include "check.h"
#include <math.h>

static double weight(int a, int j) {
  return 0.2 + 0.15 * ((a * 7 + j * 3) % 9);
}

double leastOf(const double *x, int n) {
  double least = 1e300, first = 1e300;
  for (int a = 0; a < 6; ++a) {
    double s = 0, p = 1;
    for (int j = 0; j < n; ++j) {
      s += (x[j] - weight(a, j)) * (x[j] - weight(a, j));
      p *= 1 + x[j] * weight(j, a);
    }
    least = s < least ? s : least;
    first = p > 9 ? first : fmin(first, p);
  }
  return least + first;
}
ADZE_TEST_ARRAY(leastOf, 8, ADZE_AT(0.3, 0.8, 1.1, 0.5, 0.9, 0.2, 1.3, 0.6))

double cappedBefore(const double *x, int n) {
  double last = 0, sum = 0;
  for (int a = 0; a < 6; ++a) {
    double s = 0, t = last;
    for (int j = 0; j < n; ++j) {
      s += x[j] * x[j] * weight(a, j);
      t += x[j] * last;
    }
    sum += last > 4.5 ? 2 : last;
    sum += s > 4.5 ? t : 0;
    last = s;
  }
  return sum;
}
ADZE_TEST_ARRAY(cappedBefore, 8,
                ADZE_AT(0.3, 0.8, 1.1, 0.5, 0.9, 0.2, 1.3, 0.6))

// The adjoint of the choice is carried on through the loop.
double carried(const double *x, int n) {
  double sum = 0, last = 1;
  for (int a = 0; a < 5; ++a) {
    double p = 1;
    for (int j = 0; j < n; ++j)
      p = p * (0.5 + 0.3 * x[j]) + weight(a, j);
    sum += p > last ? p : last * last;
    last = p > 2.5 ? 0.5 * last : p;
  }
  return sum + last;
}
ADZE_TEST_ARRAY(carried, 8, ADZE_AT(0.3, 0.8, 1.1, 0.5, 0.9, 0.2, 1.3, 0.6))
