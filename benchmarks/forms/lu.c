// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// log |det A| and the solution of A y = b by elimination with row pivoting; x
// holds A by rows, then b. The value is log |det A| + y . y / 2. Adjoint by
// hand, with w = A^-T y from the same factors: db += w, dA += A^-T - w y'. The
// inverse is taken by solving for each row.

#include "common/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 128 };

static size_t inputs(int n) { return (size_t)n * n + n; }

static void make_inputs(int n, double *x) {
  unsigned state = 12345;
  for (int i = 0; i < n * n + n; i++) {
    state = state * 1664525u + 1013904223u;
    x[i] = (state >> 8) * 0x1p-23 - 1.0;
  }
  for (int i = 0; i < n; i++)
    x[i * n + (i * 3 + 1) % n] += 4.0;
}

/// Row operations on work = [A | b], n rows of n + 1.
static void copy_in(int n, const double *x, double *work) {
  for (int i = 0; i < n; i++) {
    memcpy(work + i * (n + 1), x + i * n, (size_t)n * sizeof *work);
    work[i * (n + 1) + n] = x[n * n + i];
  }
}

static void hand(int n, const int *index FORMS_UNUSED, const double *x,
                 double *d_x) {
  double *restrict a = malloc((size_t)n * n * sizeof *a);
  double *restrict y = malloc((size_t)n * sizeof *y);
  double *restrict w = malloc((size_t)n * sizeof *w);
  int *p = malloc((size_t)n * sizeof *p);
  memcpy(a, x, (size_t)n * n * sizeof *a);
  for (int k = 0; k < n; k++)
    p[k] = k;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
        best = i;
    for (int j = 0; best != k && j < n; j++) {
      double t = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = t;
    }
    int t = p[k];
    p[k] = p[best];
    p[best] = t;
    for (int i = k + 1; i < n; i++) {
      double factor = a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
  }
  for (int i = 0; i < n; i++) {
    y[i] = x[n * n + p[i]];
    for (int j = 0; j < i; j++)
      y[i] -= a[i * n + j] * y[j];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      y[i] -= a[i * n + j] * y[j];
    y[i] /= a[i * n + i];
  }
  // P A = L U, so A^-T e = P' L^-T U^-T e; first for y, then for unit vectors.
  for (int c = -1; c < n; c++) {
    for (int i = 0; i < n; i++)
      w[i] = c < 0 ? y[i] : i == c;
    for (int i = c < 0 ? 0 : c; i < n; i++) {
      w[i] /= a[i * n + i];
      for (int j = i + 1; j < n; j++)
        w[j] -= a[i * n + j] * w[i];
    }
    for (int i = n - 1; i >= 0; i--)
      for (int j = 0; j < i; j++)
        w[j] -= a[i * n + j] * w[i];
    for (int i = 0; i < n; i++) {
      if (c >= 0)
        d_x[p[i] * n + c] += w[i];
      else
        d_x[n * n + p[i]] += w[i];
      for (int j = 0; c < 0 && j < n; j++)
        d_x[p[i] * n + j] -= w[i] * y[j];
    }
  }
  free(a);
  free(y);
  free(w);
  free(p);
}

COMPUTATION = {"lu", 120, 8, inputs, NULL, NULL, make_inputs, hand};

/// Solves with the upper triangle, into the last column; the value.
static double back_substitute(int n, double *work) {
  int m = n + 1;
  double value = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    double sum = work[i * m + n];
    for (int j = i + 1; j < n; j++)
      sum -= work[i * m + j] * work[j * m + n];
    work[i * m + n] = sum / work[i * m + i];
    value +=
        log(fabs(work[i * m + i])) + 0.5 * work[i * m + n] * work[i * m + n];
  }
  return value;
}

FORM(rows_swapped, double, n *(n + 1)) {
  int m = n + 1;
  copy_in(n, x, work);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(work[i * m + k]) > fabs(work[best * m + k]))
        best = i;
    if (best != k)
      for (int j = k; j < m; j++) {
        double t = work[k * m + j];
        work[k * m + j] = work[best * m + j];
        work[best * m + j] = t;
      }
    for (int i = k + 1; i < n; i++) {
      double factor = work[i * m + k] / work[k * m + k];
      for (int j = k + 1; j < m; j++)
        work[i * m + j] -= factor * work[k * m + j];
    }
  }
  return back_substitute(n, work);
}

FORM(factors_stored, double, n *(n + 1)) {
  int m = n + 1;
  copy_in(n, x, work);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(work[i * m + k]) > fabs(work[best * m + k]))
        best = i;
    for (int j = 0; j < m; j++) {
      double t = work[k * m + j];
      work[k * m + j] = work[best * m + j];
      work[best * m + j] = t;
    }
    for (int i = k + 1; i < n; i++)
      work[i * m + k] /= work[k * m + k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < m; j++)
        work[i * m + j] -= work[i * m + k] * work[k * m + j];
  }
  return back_substitute(n, work);
}

FORM(row_pointers_swapped, double, n *(n + 1)) {
  int m = n + 1;
  copy_in(n, x, work);
  double **row = malloc((size_t)n * sizeof *row);
  for (int i = 0; i < n; i++)
    row[i] = work + i * m;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(row[i][k]) > fabs(row[best][k]))
        best = i;
    double *t = row[k];
    row[k] = row[best];
    row[best] = t;
    for (int i = k + 1; i < n; i++) {
      double factor = row[i][k] / row[k][k];
      for (int j = k + 1; j < m; j++)
        row[i][j] -= factor * row[k][j];
    }
  }
  double value = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    double sum = row[i][n];
    for (int j = i + 1; j < n; j++)
      sum -= row[i][j] * row[j][n];
    row[i][n] = sum / row[i][i];
    value += log(fabs(row[i][i])) + 0.5 * row[i][n] * row[i][n];
  }
  free(row);
  return value;
}

FORM(permutation, double, 0) {
  int m = n + 1;
  double *a = malloc((size_t)n * m * sizeof *a);
  int *p = malloc((size_t)n * sizeof *p);
  copy_in(n, x, a);
  for (int i = 0; i < n; i++)
    p[i] = i;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[p[i] * m + k]) > fabs(a[p[best] * m + k]))
        best = i;
    int t = p[k];
    p[k] = p[best];
    p[best] = t;
    for (int i = k + 1; i < n; i++) {
      double factor = a[p[i] * m + k] / a[p[k] * m + k];
      for (int j = k + 1; j < m; j++)
        a[p[i] * m + j] -= factor * a[p[k] * m + j];
    }
  }
  double value = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    double sum = a[p[i] * m + n];
    for (int j = i + 1; j < n; j++)
      sum -= a[p[i] * m + j] * a[p[j] * m + n];
    a[p[i] * m + n] = sum / a[p[i] * m + i];
    value +=
        log(fabs(a[p[i] * m + i])) + 0.5 * a[p[i] * m + n] * a[p[i] * m + n];
  }
  free(a);
  free(p);
  return value;
}

static int find_pivot(int n, int k, const double (*a)[n + 1]) {
  int best = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(a[i][k]) > fabs(a[best][k]))
      best = i;
  return best;
}

static void swap_rows(int n, double *restrict a, double *restrict b) {
  for (int j = 0; j <= n; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

static void eliminate(int n, int k, double (*a)[n + 1]) {
  for (int i = k + 1; i < n; i++) {
    double factor = a[i][k] / a[k][k];
    for (int j = k + 1; j <= n; j++)
      a[i][j] -= factor * a[k][j];
  }
}

FORM(functions_and_arrays_of_n, double, 0) {
  double(*a)[n + 1] = malloc((size_t)n * sizeof *a);
  copy_in(n, x, &a[0][0]);
  for (int k = 0; k < n; k++) {
    int best = find_pivot(n, k, (const double(*)[n + 1]) a);
    if (best != k)
      swap_rows(n, a[k], a[best]);
    eliminate(n, k, a);
  }
  double value = back_substitute(n, &a[0][0]);
  free(a);
  return value;
}

FORM(crout_columns, double, n *(n + 1)) {
  int m = n + 1;
  copy_in(n, x, work);
  for (int k = 0; k < n; k++) {
    for (int i = k; i < n; i++)
      for (int p = 0; p < k; p++)
        work[i * m + k] -= work[i * m + p] * work[p * m + k];
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(work[i * m + k]) > fabs(work[best * m + k]))
        best = i;
    for (int j = 0; best != k && j < m; j++) {
      double t = work[k * m + j];
      work[k * m + j] = work[best * m + j];
      work[best * m + j] = t;
    }
    for (int i = k + 1; i < n; i++)
      work[i * m + k] /= work[k * m + k];
    for (int j = k + 1; j < m; j++)
      for (int p = 0; p < k; p++)
        work[k * m + j] -= work[k * m + p] * work[p * m + j];
  }
  return back_substitute(n, work);
}

FORM(rows_swapped_static, double, 0) {
  static double a[MAX_N][MAX_N];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = x[i * n + j];
    a[i][n] = x[n * n + i];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    for (int j = k; best != k && j <= n; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    for (int i = k + 1; i < n; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k + 1; j <= n; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  double value = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      a[i][n] -= a[i][j] * a[j][n];
    a[i][n] /= a[i][i];
    value += log(fabs(a[i][i])) + 0.5 * a[i][n] * a[i][n];
  }
  return value;
}
