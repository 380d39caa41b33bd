// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eliminations in matrices whose rows have a declared size, with ints, walked up
// to and including n: to the last element of the matrix, and not; rows that are
// exchanged; a walk along the first row that does reach the others.
// ADZE: vectorized
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { Rows = 5, Most = Rows * (Rows + 1) };

// Unknown to the optimizer.
static volatile int given = Rows;

static void eliminate(int n, int k, double (*a)[n + 1]) {
  for (int i = k + 1; i < n; ++i) {
    const double factor = a[i][k] / a[k][k];
    for (int j = k + 1; j <= n; ++j)
      a[i][j] -= factor * a[k][j];
  }
}

static int pivot(int n, int k, const double (*a)[n + 1]) {
  int best = k;
  for (int i = k + 1; i < n; ++i)
    if (fabs(a[i][k]) > fabs(a[best][k]))
      best = i;
  return best;
}

static void exchange(int n, double *a, double *b) {
  for (int j = 0; j <= n; ++j) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

/// The rows fill the matrix.
void full(const double *x, double *y) {
  static double a[Rows][Rows + 1];
  for (int end = given, n = 1; n <= end; ++n) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= n; ++j)
        a[i][j] = x[i * (Rows + 1) + j] + (i == j ? 4 : 0);
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        const double factor = a[i][k] / a[k][k];
        for (int j = k + 1; j <= n; ++j)
          a[i][j] -= factor * a[k][j];
      }
    y[n - 1] = a[n - 1][n - 1] * a[n - 1][n];
  }
}
ADZE_TEST_MAP(full, Most, Rows,
              ADZE_AT(0.5, -0.2, 0.3, 0.1, 0.7, -0.4, 0.2, 0.9, -0.1, 0.6, 0.4,
                      0.3, -0.3, 0.8, 0.2, -0.5, 0.1, 0.9, 0.7, 0.3, 0.5, -0.2,
                      0.8, 0.1, 0.2, -0.6, 0.4, 0.9, 0.3, -0.7))

/// With more room, on the stack, and rows exchanged.
void roomy(const double *x, double *y) {
  double a[Rows + 2][Rows + 4];
  for (int end = given, n = 1; n <= end; ++n) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= n; ++j)
        a[i][j] = x[i * (Rows + 1) + j] * (1 + i * j);
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (fabs(a[i][k]) > fabs(a[best][k]))
          best = i;
      for (int j = k; best != k && j <= n; ++j) {
        double t = a[k][j];
        a[k][j] = a[best][j];
        a[best][j] = t;
      }
      for (int i = k + 1; i < n; ++i) {
        a[i][k] /= a[k][k];
        for (int j = k + 1; j < n + 1; ++j)
          a[i][j] -= a[i][k] * a[k][j];
      }
    }
    y[n - 1] = a[n - 1][n - 1] + a[n - 1][n] + a[n / 2][0];
  }
}
ADZE_TEST_MAP(roomy, Most, Rows,
              ADZE_AT(0.5, -0.2, 0.3, 0.1, 0.7, -0.4, 0.2, 0.9, -0.1, 0.6, 0.4,
                      0.3, -0.3, 0.8, 0.2, -0.5, 0.1, 0.9, 0.7, 0.3, 0.5, -0.2,
                      0.8, 0.1, 0.2, -0.6, 0.4, 0.9, 0.3, -0.7))

/// Rows of n + 1 numbers, by functions.
void allocated(const double *x, double *y) {
  for (int end = given, n = 1; n <= end; ++n) {
    double(*a)[n + 1] = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= n; ++j)
        a[i][j] = x[i * (Rows + 1) + j] * (1 + i * j);
    for (int k = 0; k < n; ++k) {
      int best = pivot(n, k, (const double(*)[n + 1]) a);
      if (best != k)
        exchange(n, a[k], a[best]);
      eliminate(n, k, a);
    }
    y[n - 1] = a[n - 1][n - 1] + a[n - 1][n] * a[0][n];
    free(a);
  }
}
ADZE_TEST_MAP(allocated, Most, Rows,
              ADZE_AT(0.5, -0.2, 0.3, 0.1, 0.7, -0.4, 0.2, 0.9, -0.1, 0.6, 0.4,
                      0.3, -0.3, 0.8, 0.2, -0.5, 0.1, 0.9, 0.7, 0.3, 0.5, -0.2,
                      0.8, 0.1, 0.2, -0.6, 0.4, 0.9, 0.3, -0.7))

/// The walk along the first row goes on in the second and in the third one,
/// which are overwritten meanwhile.
void beyond(const double *x, double *y) {
  static double a[3][Rows];
  double *first = &a[0][0];
  const int n = 2 * given + 2, rows = given - 2;
  for (int j = 0; j < 3 * Rows; ++j)
    first[j] = x[j];
  for (int i = 1; i < rows; ++i)
    for (int j = 0; j < n; ++j)
      if (j < given)
        first[i * Rows + j] =
            0.5 * first[i * Rows + j] * first[j] + first[n - 1 - j];
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += first[j] * (1 + j);
  y[0] = sum;
  y[1] = first[2 * Rows];
}
ADZE_TEST_MAP(beyond, 3 * Rows, 2,
              ADZE_AT(0.5, -0.2, 0.3, 0.1, 0.7, -0.4, 0.2, 0.9, -0.1, 0.6, 0.4,
                      0.3, -0.3, 0.8, 0.2))
