// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of cholesky.h by hand: the factorization reversed statement by
// statement, in place in d_a (S. Smith, Differentiation of the Cholesky
// Algorithm, 1995). L survives, so there is no tape: the quotient sum / L_jj
// is L_ij, and the square root is L_ii.

#include "cholesky.h"

#include <math.h>

static void factorize(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = j < i ? sum / a[j * n + j] : sqrt(sum);
    }
}

static void solve(int n, const double *restrict l, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = y[i];
    for (int k = 0; k < i; k++)
      sum -= l[i * n + k] * y[k];
    y[i] = sum / l[i * n + i];
  }
}

/// d_l: adjoint of L on entry, of A on exit.
static void reverse_factorize(int n, const double *restrict l,
                              double *restrict d_l) {
  for (int i = n - 1; i >= 0; i--) {
    const double *row = l + i * n;
    double *restrict d_row = d_l + i * n;
    double bar = 0.5 * d_row[i] / row[i];
    d_row[i] = bar;
    for (int k = 0; k < i; k++)
      d_row[k] -= 2.0 * bar * row[k];
    for (int j = i - 1; j >= 0; j--) {
      const double *other = l + j * n;
      double *restrict d_other = d_l + j * n;
      bar = d_row[j] / other[j];
      d_row[j] = bar;
      d_other[j] -= bar * row[j];
      for (int k = 0; k < j; k++) {
        d_row[k] -= bar * other[k];
        d_other[k] -= bar * row[k];
      }
    }
  }
}

/// d_y: adjoint of the solution on entry, of the right-hand side on exit.
static void reverse_solve(int n, const double *restrict l, double *restrict d_l,
                          const double *restrict y, double *restrict d_y) {
  for (int i = n - 1; i >= 0; i--) {
    double bar = d_y[i] / l[i * n + i];
    d_y[i] = bar;
    d_l[i * n + i] -= bar * y[i];
    for (int k = 0; k < i; k++) {
      d_l[i * n + k] -= bar * y[k];
      d_y[k] -= bar * l[i * n + k];
    }
  }
}

void cholesky_hand(int n, double *restrict a, double *restrict d_a,
                   double *restrict y, double *restrict d_y) {
  factorize(n, a);
  solve(n, a, y);
  for (int i = 0; i < n; i++) {
    d_a[i * n + i] += 1.0 / a[i * n + i];
    d_y[i] += y[i];
  }
  reverse_solve(n, a, d_a, y, d_y);
  reverse_factorize(n, a, d_a);
}
