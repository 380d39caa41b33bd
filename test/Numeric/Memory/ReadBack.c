// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that the primal stores where they stay are read from there by the
// reverse pass; where they do not stay, that must be noticed.
// ADZE: vectorized
#include "check.h"

#include <math.h>
#include <stdlib.h>

enum { Most = 16 };

// The case that is wanted.
void stays(const double *x, double *y) {
  for (int i = 0; i < 6; ++i)
    y[i] = exp(x[i]);
}
ADZE_TEST_MAP(stays, 6, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// A running value, every second one of which is overwritten.
double halfStays(const double *x, int n) {
  double y[Most], s = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    s = sin(s) + x[i];
    y[i] = s;
    total += s * s;
  }
  for (int i = 0; i < n; i += 2)
    y[i] *= x[i];
  for (int i = 0; i < n; ++i)
    total += y[i];
  return total;
}
ADZE_TEST_ARRAY(halfStays, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// Two iterations store to one element.
double sameElement(const double *x, int n) {
  double y[Most], s = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    s = sin(s) + x[i];
    y[i / 2] = s;
    total += s * s;
  }
  return total + y[0];
}
ADZE_TEST_ARRAY(sameElement, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// Rows of three, two elements apart; and rows that just fit.
double overlappingRows(const double *x, int n) {
  double y[4 * Most], z[4 * Most], s = 0, total = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j) {
      s = sin(s) * x[j] + x[i];
      y[2 * i + j] = s;
      total += s * s;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s = sin(s) * x[j] + x[i];
      z[n * i + j] = s;
      total += s * s;
    }
  return total + y[1] + z[2];
}
ADZE_TEST_ARRAY(overlappingRows, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// From the end, in a block that is given back.
double released(const double *x, int n) {
  double *y = malloc(n * sizeof(double)), s = 0, total = 0;
  for (int i = n - 1; i >= 0; --i) {
    s = sin(s) + x[i];
    y[i] = s;
    total += s * s;
  }
  for (int i = 0; i < n; ++i)
    total += y[i] * x[i];
  free(y);
  return total;
}
ADZE_TEST_ARRAY(released, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// Again and again, by a loop around.
double rounds(const double *x, int n) {
  double y[Most], s = 0, total = 0;
  for (int t = 0; t < n; ++t)
    for (int i = 0; i < n; ++i) {
      s = sin(s) + x[i] * x[t];
      y[i] = s;
      total += s * s;
    }
  return total + y[1];
}
ADZE_TEST_ARRAY(rounds, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Not always.
double sometimes(const double *x, int n) {
  double y[Most] = {0}, s = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    s = sin(s) + x[i];
    if (x[i] > 0.6)
      y[i] = s;
    total += s * s;
  }
  return total + y[0];
}
ADZE_TEST_ARRAY(sometimes, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// The number says where it is stored.
double ownPlace(const double *x, int n) {
  double y[Most] = {0}, s = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    s = 0.25 * s + x[i];
    y[(int)(s * 3) & 15] = s;
    total += s * s;
  }
  s = sin(total);
  y[(int)(s * 3) & 15] = s;
  return total + y[3] + s * s;
}
ADZE_TEST_ARRAY(ownPlace, 6, ADZE_AT(1.1, 0.5, 0.75, -0.5, 1.5, 0.25))

__attribute__((noinline)) static void fill(double *y, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = exp(x[i]);
}

// Stored by a callee, overwritten by the caller.
double callerChanges(const double *x, int n) {
  double y[Most], total = 0;
  for (int t = 0; t < 2; ++t) {
    fill(y, x + t, n - 2);
    for (int i = 0; i < n - 2; ++i) {
      total += y[i] * x[t];
      y[i] = 7;
    }
  }
  return total;
}
ADZE_TEST_ARRAY(callerChanges, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// Input and output may be one: what is stored is read by a later iteration.
__attribute__((noinline)) static void shift(double *y, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = exp(x[i]);
}
double oneBlock(const double *x, int n) {
  double y[Most], total = 0;
  for (int i = 0; i < n; ++i)
    y[i] = 0.25 * x[i];
  shift(y + 1, y, n - 1);
  for (int i = 0; i < n; ++i)
    total += y[i] * y[i];
  return 1e-3 * total;
}
ADZE_TEST_ARRAY(oneBlock, 4, ADZE_AT(0.1, -1.5, 0.75, -0.5))
