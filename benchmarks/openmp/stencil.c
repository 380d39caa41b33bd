// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nonlinear stencil of five points over a plane, in rows of all threads.
#include "bench.h"

enum { Side = 700 };
static int side;
static double *result, *adjoint;

int inputs(void) { return Side * Side; }
void setup(double *x) {
  side = unknown(Side);
  result = array(Side * Side);
  adjoint = array(Side * Side);
  for (int k = 0; k < Side * Side; ++k)
    x[k] = number();
}

static void apply(int n, const double *restrict u, double *restrict y) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      y[i * n + j] = u[i * n + j] *
                     (u[(i - 1) * n + j] + u[(i + 1) * n + j] +
                      u[i * n + j - 1] + u[i * n + j + 1] - 4 * u[i * n + j]);
}
static double squares(int n, const double *y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < n; ++k)
    sum += y[k] * y[k];
  return sum;
}
static double objective(const double *x) {
  double *y = calloc((size_t)side * (size_t)side, sizeof(double));
  apply(side, x, y);
  const double sum = squares(side * side, y);
  free(y);
  return sum;
}

static void hand(const double *x, double *dx) {
  const int n = side;
  double *y = result, *dy = adjoint;
  apply(n, x, y);
  volatile double value = squares(n * n, y);
  (void)value;
#pragma omp parallel for
  for (int k = 0; k < n * n; ++k)
    dy[k] = 2 * y[k];
  // Each row gathers what five others want of it; the border has no results.
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int k = i * n + j;
      double s = 0;
      if (i > 0 && i < n - 1 && j > 0 && j < n - 1)
        s += dy[k] * (x[k - n] + x[k + n] + x[k - 1] + x[k + 1] - 8 * x[k]);
      if (i > 0)
        s += dy[k - n] * x[k - n];
      if (i < n - 1)
        s += dy[k + n] * x[k + n];
      if (j > 0)
        s += dy[k - 1] * x[k - 1];
      if (j < n - 1)
        s += dy[k + 1] * x[k + 1];
      dx[k] += s;
    }
}
