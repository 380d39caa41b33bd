// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B for n x n matrices by rows; x holds A, then B.
// Adjoint, with dC = C: dA += dC B', dB += A' dC.

#include "common/forms.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 128 };

static size_t inputs(int n) { return 2 * (size_t)n * n; }

static void hand(int n, const int *index FORMS_UNUSED, const double *x,
                 double *d_x) {
  const double *a = x, *b = x + n * n;
  double *restrict d_a = d_x, *restrict d_b = d_x + n * n;
  double *restrict c = calloc((size_t)n * n, sizeof *c);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      double sum = 0.0;
      for (int j = 0; j < n; j++) {
        sum += c[i * n + j] * b[k * n + j];
        d_b[k * n + j] += a[i * n + k] * c[i * n + j];
      }
      d_a[i * n + k] += sum;
    }
  free(c);
}

COMPUTATION = {"matmul", 120, 9, inputs, NULL, NULL, NULL, hand};

FORM(row_times_column, double, n *n) {
  const double *a = x, *b = x + n * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      work[i * n + j] = sum;
    }
  return half_squares((size_t)n * n, work);
}

FORM(sum_in_memory, double, n *n) {
  const double *a = x, *b = x + n * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      work[i * n + j] = 0.0;
      for (int k = 0; k < n; k++)
        work[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  return half_squares((size_t)n * n, work);
}

FORM(rows_added, double, n *n) {
  const double *a = x, *b = x + n * n;
  memset(work, 0, (size_t)n * n * sizeof *work);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        work[i * n + j] += a[i * n + k] * b[k * n + j];
  return half_squares((size_t)n * n, work);
}

static void multiply_restrict(int n, const double *restrict a,
                              const double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = 0.0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

FORM(outer_products_restrict, double, n *n) {
  multiply_restrict(n, x, x + n * n, work);
  return half_squares((size_t)n * n, work);
}

static void multiply_vla(int n, const double (*a)[n], const double (*b)[n],
                         double (*c)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

FORM(arrays_of_n_on_heap, double, 0) {
  double *c = malloc((size_t)n * n * sizeof *c);
  multiply_vla(n, (const double(*)[n])x, (const double(*)[n])(x + n * n),
               (double(*)[n])c);
  double value = half_squares((size_t)n * n, c);
  free(c);
  return value;
}

FORM(row_pointers, double, 0) {
  double **c = malloc((size_t)n * sizeof *c);
  const double **a = malloc((size_t)n * sizeof *a);
  const double **b = malloc((size_t)n * sizeof *b);
  for (int i = 0; i < n; i++) {
    a[i] = x + i * n;
    b[i] = x + n * n + i * n;
    c[i] = calloc((size_t)n, sizeof **c);
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j];
  double value = 0.0;
  for (int i = 0; i < n; i++) {
    value += half_squares((size_t)n, c[i]);
    free(c[i]);
  }
  free(a);
  free(b);
  free(c);
  return value;
}

FORM(static_product, double, 0) {
  static double c[MAX_N][MAX_N];
  double value = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int k = 0; k < n; k++)
        sum += x[i * n + k] * x[n * n + k * n + j];
      c[i][j] = sum;
    }
  for (int i = 0; i < n; i++)
    value += half_squares((size_t)n, c[i]);
  return value;
}

FORM(transposed_first_unsigned, double, 2 * n * n) {
  unsigned m = (unsigned)n;
  const double *a = x, *b = x + m * m;
  double *t = work, *c = work + m * m;
  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j < m; j++)
      t[i * m + j] = b[j * m + i];
  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j < m; j++) {
      double sum = 0.0;
      for (unsigned k = 0; k < m; k++)
        sum += a[i * m + k] * t[j * m + k];
      c[i * m + j] = sum;
    }
  return half_squares((size_t)m * m, c);
}

FORM(blocks, double, n *n) {
  enum { BLOCK = 24 };
  const double *a = x, *b = x + n * n;
  for (int i = 0; i < n * n; i++)
    work[i] = 0.0;
  for (int i0 = 0; i0 < n; i0 += BLOCK)
    for (int k0 = 0; k0 < n; k0 += BLOCK)
      for (int i = i0; i < n && i < i0 + BLOCK; i++)
        for (int k = k0; k < n && k < k0 + BLOCK; k++) {
          double factor = a[i * n + k];
          for (int j = 0; j < n; j++)
            work[i * n + j] += factor * b[k * n + j];
        }
  return half_squares((size_t)n * n, work);
}

FORM(rows_added_float, float, n *n) {
  const float *a = x, *b = x + n * n;
  memset(work, 0, (size_t)n * n * sizeof *work);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        work[i * n + j] += a[i * n + k] * b[k * n + j];
  return half_squares_single((size_t)n * n, work);
}
