// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests of reverse loops that go up, where rows are apart, and those that must
// go down: where what is written overlaps with what is read, also only in other
// rows, or rows overlap with each other.
#include "check.h"

#define M 24
#define ROWS 6
#define SIZE ((ROWS + 2) * M)

// Counts that the optimizer does not know.
int num_rows = ROWS, num_columns = M;

// The adjoints of c0 and c1 are sums over the nest.
__attribute__((noinline)) static void gather(int rows, int m, int stride,
                                             double c0, double c1,
                                             const double *u, double *v) {
  for (int i = 1; i < rows; ++i)
    for (int j = 1; j < m - 1; ++j)
      v[i * stride + j] = 0.2 * c0 * (u[i * m + j - 1] + u[i * m + j + 1]) +
                          0.2 * c1 * u[i * m + j - m] +
                          0.1 * u[i * m + j] * u[i * m + j];
}

__attribute__((noinline)) static void
scale(int rows, int m, int stride, const double *restrict u, double *v) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < m; ++j)
      v[i * stride + j] = 0.5 * u[i * m + j] * u[i * m + j] + 0.25;
}

// Planes of rows.
__attribute__((noinline)) static void planes(int n, int rows, int m,
                                             const double *u, double *v) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 1; j < m; ++j)
        v[(k * rows + i) * m + j] = u[(k * rows + i) * m + j - 1] * 0.25 +
                                    0.5 * u[(k * rows + i) * m + j];
}

// What the last row leaves is read behind the nest.
__attribute__((noinline)) static double
left(int rows, int m, const double *restrict u, double *restrict v) {
  double last = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < m; ++j) {
      last = u[i * m + j] * 1.5;
      v[i * m + j] = last * u[i * m + j];
    }
  return last;
}

static double weighed(const double *v) {
  double s = 0;
  for (int i = 0; i < SIZE; ++i)
    s += v[i] * (1.0 + 0.01 * ((i * 37) % 101));
  return s;
}

static void fill(double *w, int n, const double *x) {
  for (int i = 0; i < n; ++i)
    w[i] = 0.3 + 0.1 * x[i % 8] * x[(i + 3) % 8];
}

void turned(const double *x, double *y) {
  static const int shifts[] = {SIZE, M, 1, 2 * M, 5};
  for (int k = 0; k < 5; ++k) {
    double w[2 * SIZE];
    fill(w, 2 * SIZE, x);
    gather(num_rows, num_columns, num_columns, x[0], x[1], w, w + shifts[k]);
    y[k] = weighed(w) + weighed(w + SIZE);
    fill(w, 2 * SIZE, x);
    planes(2, num_rows / 2, num_columns, w, w + shifts[k]);
    y[k + 5] = weighed(w) + weighed(w + SIZE);
  }
  double u[SIZE], v[SIZE];
  fill(u, SIZE, x);
  fill(v, SIZE, x + 1);
  gather(num_rows, num_columns, 3, x[2], x[0], u, v);
  y[10] = weighed(v);
  scale(num_rows, num_columns, 7, u, v);
  y[11] = weighed(v);
  scale(num_rows, num_columns, num_columns, u, v);
  y[12] = weighed(v);
  y[13] = left(num_rows, num_columns, u, v) + weighed(v);
}

ADZE_TEST_MAP(turned, 9, 14,
              ADZE_AT(0.9, 0.8, -0.7, 0.6, 0.5, -0.4, 0.3, 0.2, 0.1))
