// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that a loop loads at the end of one iteration and uses in the next:
// written so, and made so by the optimizer.
// ADZE: vectorized
#include "check.h"

#include <math.h>

enum { Most = 16 };

// As long as the data say, in memory that stays.
double until(const double *x, int n) {
  double s = 0;
  for (int i = 0; x[i] > 0; ++i)
    s += x[i] * x[i];
  return s;
}
ADZE_TEST_ARRAY(until, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Two numbers carried, by hand.
double window(const double *x, int n) {
  double before = x[0], now = x[1], s = 0;
  for (int i = 1; i + 1 < n; ++i) {
    double next = x[i + 1];
    s += before * now * next * sin(now);
    before = now;
    now = next;
  }
  return s;
}
ADZE_TEST_ARRAY(window, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// The first one comes from elsewhere.
double otherStart(const double *x, int n) {
  double now = x[3], s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    s += now * now * x[i];
    now = x[i + 1];
  }
  return s;
}
ADZE_TEST_ARRAY(otherStart, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// What was loaded is overwritten while it is carried; or after that.
double overwritten(const double *x, int n) {
  double a[Most], b[Most], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = b[i] = x[i];
  double now = a[0];
  for (int i = 0; i + 1 < n; ++i) {
    s += now * now;
    now = a[i + 1];
    a[i + 1] = s;
  }
  now = b[0];
  for (int i = 0; i + 1 < n; ++i) {
    s += now * now;
    b[i] = s;
    now = b[i + 1];
  }
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  return 1e-3 * s;
}
ADZE_TEST_ARRAY(overwritten, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// From the end; and every second one.
double backwards(const double *x, int n) {
  double now = x[n - 1], s = 0;
  for (int i = n - 1; i > 0; --i) {
    s += now * now * now;
    now = x[i - 1];
  }
  now = x[0];
  for (int i = 0; i + 2 < n; i += 2) {
    s += now * now;
    now = x[i + 2];
  }
  return s;
}
ADZE_TEST_ARRAY(backwards, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))

// Before the loop it is overwritten.
double changedBefore(const double *x, int n) {
  double a[Most], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i];
  for (int t = 0; t < 2; ++t) {
    double now = a[0];
    a[0] = 0.5 * x[t];
    for (int i = 0; i + 1 < n; ++i) {
      s += now * now * x[i];
      now = a[i + 1];
    }
  }
  return s;
}
ADZE_TEST_ARRAY(changedBefore, 6, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5, 0.25))
