// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of det.h by hand, in one recursion: the adjoint of a minor, the
// incoming one times the signed entry, is known before the minor is computed.
// So a call computes its minor and adds to the gradient at once, and nothing is
// kept.

#include "det.h"

/// The minor; its derivatives times `bar` are added to d_a.
static double adjoint_minor(const double *restrict a, double *restrict d_a,
                            int n, int size, int *restrict rows,
                            int *restrict columns, double bar) {
  int row = rows[n];
  int column = columns[n];
  if (size == 1) {
    d_a[row * n + column] += bar;
    return a[row * n + column];
  }
  double sum = 0.0;
  double sign = 1.0;
  int before = n;
  rows[n] = rows[row];
  for (int j = 0; j < size; j++) {
    double entry = sign * a[row * n + column];
    columns[before] = columns[column];
    double minor =
        adjoint_minor(a, d_a, n, size - 1, rows, columns, bar * entry);
    columns[before] = column;
    sum += entry * minor;
    d_a[row * n + column] += bar * sign * minor;
    sign = -sign;
    before = column;
    column = columns[column];
  }
  rows[n] = row;
  return sum;
}

void det_hand(int n, const double *a, double *d_a, int *rows, int *columns) {
  for (int i = 0; i < n; i++)
    rows[i] = columns[i] = i + 1;
  rows[n] = columns[n] = 0;
  adjoint_minor(a, d_a, n, n, rows, columns, 1.0);
}
