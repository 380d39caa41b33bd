// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that do not vary with all loops around them, in memory that is
// overwritten later: kept once for what they do vary with. And some that seem
// to be such values.
// ADZE: vectorized
#include "check.h"

#include <math.h>

enum { Most = 16 };

// Unknown to the optimizer, so that short loops stay loops.
static volatile int given = 3;

static void copy(double *a, const double *x, int n) {
  for (int j = 0; j < n; ++j)
    a[j] = x[j];
}

// One row, read in each round; the row changes at the end.
double row(const double *x, int n) {
  double a[Most], total = 0;
  copy(a, x, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      total += a[j] * a[j] * x[i];
  for (int j = 0; j < n; ++j)
    a[j] = total;
  return total + a[1];
}
ADZE_TEST_ARRAY(row, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// A row for each round of an outer loop; three loops, of which values vary
// with one or two.
double middle(const double *x, int n) {
  const int rounds = given;
  double a[Most], b[Most], total = 0;
  copy(a, x, n);
  copy(b, x, n);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        total += a[j] * a[j] * b[i] * b[i] * x[t];
    for (int j = 0; j < n; ++j) {
      a[j] = a[j] * x[j] + t;
      b[j] += x[t];
    }
  }
  return total;
}
ADZE_TEST_ARRAY(middle, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// How many there are depends on the loop that they do not vary with.
double triangle(const double *x, int n) {
  double a[Most], total = 0;
  copy(a, x, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      total += a[j] * a[j] * x[i];
  copy(a, &total, 1);
  for (int j = 1; j < n; ++j)
    a[j] = 0;
  return total + a[0];
}
ADZE_TEST_ARRAY(triangle, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Nobody knows how many rounds there are.
double untilSmall(const double *x, int n) {
  double a[Most], total = 10;
  copy(a, x, n);
  while (total > 1) {
    double next = 0;
    for (int j = 0; j < n; ++j)
      next += a[j] * a[j] * 0.1;
    total *= 0.5 + 0.01 * next;
  }
  for (int j = 0; j < n; ++j)
    a[j] = total;
  return total + a[1];
}
ADZE_TEST_ARRAY(untilSmall, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Nor how many elements.
double untilFound(const double *x, int n) {
  double a[Most], total = 0;
  copy(a, x, n);
  a[n] = -1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; a[j] > x[i] - 1.03; ++j)
      total += exp(a[j]) * x[i];
  for (int j = 0; j < n; ++j)
    a[j] = total;
  return total + a[1];
}
ADZE_TEST_ARRAY(untilFound, 5, ADZE_AT(1.0, 0.5, 0.75, 0.25, 1.5))

// One number, in some of the iterations.
double number(const double *x, int n) {
  double a[2], total = 0;
  const int at = given & 1;
  a[0] = 1;
  a[at] = x[1];
  for (int i = 0; i < n; ++i)
    if (x[i] > 0.6)
      total += exp(a[at]) * x[i];
  a[at] = 0;
  return total + a[0];
}
ADZE_TEST_ARRAY(number, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The row changes in one of the rounds.
double changesOnce(const double *x, int n) {
  double a[Most], total = 0;
  copy(a, x, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      total += a[j] * a[j] * x[i];
    if (i == 2)
      a[i] = total;
  }
  return total;
}
ADZE_TEST_ARRAY(changesOnce, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// It changes ahead of the reader.
double changesAhead(const double *x, int n) {
  double a[Most], total = 0;
  copy(a, x, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      total += a[j] * a[j] * x[i];
      if (j == i)
        a[(i + 1) % n] = 0.125 * total;
    }
  return total;
}
ADZE_TEST_ARRAY(changesAhead, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// Loops that may run no iteration, in the middle and at the bottom.
double empty(const double *x, int n) {
  double a[Most], total = 1;
  copy(a, x, n);
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < t % 3; ++i)
      for (int j = 0; j < n - 2 * t; ++j)
        total += sin(a[j]) * x[i];
    a[t] = total;
  }
  return total;
}
ADZE_TEST_ARRAY(empty, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

__attribute__((noinline)) static double weigh(double *a, const double *w,
                                              int n) {
  double total = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      total += sin(a[j]) * sin(w[i]);
  return total;
}

// In a callee, whose caller overwrites them.
double inCallee(const double *x, int n) {
  const int rounds = given;
  double a[Most], total = 0;
  copy(a, x, n);
  for (int t = 0; t < rounds; ++t) {
    total += weigh(a, x, n);
    a[t] += 0.25 * total;
  }
  return total;
}
ADZE_TEST_ARRAY(inCallee, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The callee only reads them, and nobody else does meanwhile: but later.
__attribute__((noinline)) static double
weighRestrict(const double *restrict a, const double *restrict w, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      total += a[j] * a[j] * w[i];
  return total;
}
double inRestrictCallee(const double *x, int n) {
  const int rounds = given;
  double a[Most], total = 0;
  copy(a, x, n);
  for (int t = 0; t < rounds; ++t) {
    total += weighRestrict(a, x, n);
    a[t] += 0.25 * total;
  }
  return total;
}
ADZE_TEST_ARRAY(inRestrictCallee, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))
