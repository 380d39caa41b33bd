// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of det.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_DET_DET_OBJECTIVE_H
#define ADZE_BENCHMARKS_DET_DET_OBJECTIVE_H

/// The determinant of the `size` rows and columns that the lists hold. A list's
/// entry is the next number in it; entry n is its head.
static double det_minor(const double *restrict a, int n, int size,
                        int *restrict rows, int *restrict columns) {
  int row = rows[n];
  int column = columns[n];
  if (size == 1)
    return a[row * n + column];
  double sum = 0.0;
  double sign = 1.0;
  int before = n;
  rows[n] = rows[row];
  for (int j = 0; j < size; j++) {
    double entry = a[row * n + column];
    columns[before] = columns[column];
    double minor = det_minor(a, n, size - 1, rows, columns);
    columns[before] = column;
    sum += sign * entry * minor;
    sign = -sign;
    before = column;
    column = columns[column];
  }
  rows[n] = row;
  return sum;
}

static double det_objective(int n, const double *restrict a, int *restrict rows,
                            int *restrict columns) {
  for (int i = 0; i < n; i++)
    rows[i] = columns[i] = i + 1;
  rows[n] = columns[n] = 0;
  return det_minor(a, n, n, rows, columns);
}

#endif
