// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that call themselves in loops: the tapes of these calls lie in the array that the loop
// fills, or each in a block of its own, where the loop may end early or not make the call.
#include "check.h"

__attribute__((noinline)) static double minor(const double *a, int n, int size, int *rows, int *columns) {
  int row = rows[n], column = columns[n], before = n;
  if (size == 1)
    return a[row * n + column];
  double sum = 0, sign = 1;
  rows[n] = rows[row];
  for (int j = 0; j < size; ++j) {
    columns[before] = columns[column];
    sum += sign * a[row * n + column] * minor(a, n, size - 1, rows, columns);
    columns[before] = column;
    sign = -sign;
    before = column;
    column = columns[column];
  }
  rows[n] = row;
  return sum;
}

double determinant(const double *a, int count) {
  int n = count == 9 ? 3 : 2, rows[4], columns[4];
  for (int i = 0; i < n; ++i)
    rows[i] = columns[i] = i + 1;
  rows[n] = columns[n] = 0;
  return minor(a, n, n, rows, columns);
}

// A constant number of calls, but not in each iteration.
__attribute__((noinline)) static double ternary(double *x, int n, int at) {
  double s = x[at] * x[at];
  x[at] = s;
  for (int i = 1; i <= 3; ++i)
    if (3 * at + i < n)
      s += ternary(x, n, 3 * at + i) * x[at];
  return s;
}

// Two loops around the call, and one that may not be entered.
__attribute__((noinline)) static double rows(double *x, int n) {
  double s = x[n], own[3] = {x[n] * x[0], s, s * s};
  x[n] *= 0.5;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < 2; ++j) {
      s += rows(x, n - 1) * own[j] * x[j];
      own[i] *= x[n];
    }
  return s + own[0] * own[1] * own[2];
}

// Exactly two calls.
__attribute__((noinline)) static double halves(double *x, int from, int to) {
  if (to - from == 1)
    return x[from] *= x[from];
  double product = 1;
  for (int i = 0; i < 2; ++i) {
    int middle = (from + to) / 2;
    product *= halves(x, i ? middle : from, i ? to : middle) + x[from];
    x[from] += 0.25 * product;
  }
  return product;
}

// A loop of unknown count.
__attribute__((noinline)) static double until(double *x, int n) {
  double s = x[n] * x[n];
  x[n] = s;
  for (int i = n - 1; i >= 0 && s < 1e3; i -= 2)
    s += until(x, i) * x[n];
  return s;
}

// Two functions that call each other in loops.
static double right(double *x, int n);
__attribute__((noinline)) static double left(double *x, int n) {
  double s = x[n];
  for (int i = 0; i < n; ++i) {
    x[n] += 0.5 * x[i];
    s *= right(x, i) + x[n];
  }
  return s;
}
__attribute__((noinline)) static double right(double *x, int n) {
  double s = x[n];
  for (int i = 0; i < n; ++i) {
    x[i] *= 1.25;
    s += left(x, i) * x[n];
  }
  return s;
}

double all(const double *x, int n) {
  double y[32], s = 0;
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < n; ++i)
      y[i] = x[i];
    switch (k) {
    case 0:
      s += ternary(y, n, 0);
      break;
    case 1:
      s += rows(y, 2);
      break;
    case 2:
      s += halves(y, 0, n);
      break;
    case 3:
      s += until(y, n - 1);
      break;
    case 4:
      s += left(y, 3);
    }
    for (int i = 0; i < n; ++i)
      s += y[i] * (i + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(determinant, 9, ADZE_AT(1, 2, -1, 3, 0.5, 2, -2, 1, 4))
ADZE_TEST_ARRAY(all, 5, ADZE_AT(0.5, 0.75, -0.25, 1.25, 0.875, 1.5, 0.25, 0.5, -0.75, 1))
