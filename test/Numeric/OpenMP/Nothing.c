// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// A region that does nothing, and is never run; the only one of its file.
#include "check.h"

__attribute__((noinline)) static double nothing(const double *x, int n) {
  double r = 0.2 * x[1];
#pragma omp parallel for if (0) schedule(static, 1) reduction(max : r)
  for (int i = 1; i < n - 1; i++) {
  }
  return r;
}
double unless(const double *x, int n) {
  return x[0] * (n > 30 ? nothing(x, n) : x[1]);
}
ADZE_TEST_ARRAY(unless, 4, ADZE_AT(0.3, 0.5, 0.7, 0.2))
