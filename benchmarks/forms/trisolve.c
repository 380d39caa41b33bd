// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L y = b by forward substitution, L lower triangular by rows with a diagonal
// away from zero; x holds L, then b. Adjoint: solve L' w = dy, then db += w,
// dL -= w y' below and on the diagonal.

#include "common/forms.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 1000 };

static size_t inputs(int n) { return (size_t)n * n + n; }

static void make_inputs(int n, double *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i * n + j] = i == j  ? 2.0 + 0.3 * (i % 7)
                     : j < i ? ((i * 7 + j * 5) % 11 - 5.0) / n
                             : 0.0;
  for (int i = 0; i < n; i++)
    x[n * n + i] = 1.0 + 0.25 * (i % 9);
}

static void hand(int n, const int *index FORMS_UNUSED, const double *x,
                 double *d_x) {
  double *restrict y = malloc((size_t)n * sizeof *y);
  double *restrict w = malloc((size_t)n * sizeof *w);
  for (int i = 0; i < n; i++) {
    double sum = x[n * n + i];
    for (int j = 0; j < i; j++)
      sum -= x[i * n + j] * y[j];
    w[i] = y[i] = sum / x[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double bar = w[i] / x[i * n + i];
    d_x[n * n + i] += bar;
    d_x[i * n + i] -= bar * y[i];
    for (int j = 0; j < i; j++) {
      d_x[i * n + j] -= bar * y[j];
      w[j] -= bar * x[i * n + j];
    }
  }
  free(y);
  free(w);
}

COMPUTATION = {"trisolve", 1000, 11, inputs, NULL, NULL, make_inputs, hand};

FORM(by_rows, double, n) {
  const double *l = x, *b = x + n * n;
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int j = 0; j < i; j++)
      sum -= l[i * n + j] * work[j];
    work[i] = sum / l[i * n + i];
  }
  return half_squares((size_t)n, work);
}

FORM(in_place, double, n) {
  memcpy(work, x + n * n, (size_t)n * sizeof *work);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      work[i] -= x[i * n + j] * work[j];
    work[i] /= x[i * n + i];
  }
  return half_squares((size_t)n, work);
}

FORM(by_columns, double, n) {
  memcpy(work, x + n * n, (size_t)n * sizeof *work);
  for (int j = 0; j < n; j++) {
    work[j] /= x[j * n + j];
    for (int i = j + 1; i < n; i++)
      work[i] -= x[i * n + j] * work[j];
  }
  return half_squares((size_t)n, work);
}

static void solve(size_t n, const double *restrict l, const double *restrict b,
                  double *restrict y) {
  for (size_t i = 0; i < n; i++) {
    double sum = b[i];
    for (size_t j = 0; j < i; j++)
      sum -= l[i * n + j] * y[j];
    y[i] = sum / l[i * n + i];
  }
}

FORM(by_rows_restrict_size_t, double, n) {
  solve((size_t)n, x, x + (size_t)n * n, work);
  return half_squares((size_t)n, work);
}

FORM(by_columns_on_heap, double, 0) {
  double *y = malloc((size_t)n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = x[n * n + i];
  for (int j = 0; j < n; j++) {
    y[j] /= x[j * n + j];
    for (int i = j + 1; i < n; i++)
      y[i] -= x[i * n + j] * y[j];
  }
  double value = half_squares((size_t)n, y);
  free(y);
  return value;
}

FORM(by_rows_on_stack, double, 0) {
  double y[MAX_N];
  for (int i = 0; i < n; i++) {
    double sum = x[n * n + i];
    for (int j = 0; j < i; j++)
      sum -= x[i * n + j] * y[j];
    y[i] = sum / x[i * n + i];
  }
  return half_squares((size_t)n, y);
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static double row(int n, int i, const double (*l)[n], const double *b,
                  const double *y) {
  return (b[i] - dot(i, l[i], y)) / l[i][i];
}

FORM(functions_and_arrays_of_n, double, 0) {
  double *y = malloc((size_t)n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = row(n, i, (const double(*)[n])x, x + n * n, y);
  double value = half_squares((size_t)n, y);
  free(y);
  return value;
}

FORM(row_pointers, double, n) {
  const double **l = malloc((size_t)n * sizeof *l);
  for (int i = 0; i < n; i++)
    l[i] = x + i * n;
  for (int i = 0; i < n; i++) {
    double sum = x[n * n + i];
    for (int j = 0; j < i; j++)
      sum -= l[i][j] * work[j];
    work[i] = sum / l[i][i];
  }
  free(l);
  return half_squares((size_t)n, work);
}

FORM(moving_pointer_unsigned, double, n) {
  const double *l = x;
  unsigned m = (unsigned)n;
  for (unsigned i = 0; i < m; i++, l += m) {
    double sum = x[m * m + i];
    for (unsigned j = 0; j < i; j++)
      sum -= l[j] * work[j];
    work[i] = sum / l[i];
  }
  return half_squares(m, work);
}

FORM(by_rows_float, float, n) {
  for (int i = 0; i < n; i++) {
    float sum = x[n * n + i];
    for (int j = 0; j < i; j++)
      sum -= x[i * n + j] * work[j];
    work[i] = sum / x[i * n + i];
  }
  return half_squares_single((size_t)n, work);
}
