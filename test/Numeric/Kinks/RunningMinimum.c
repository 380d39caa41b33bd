// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A running minimum over ties, by <=, by <, by fmin: the tied elements share exactly one
// unit, and with a branch it is the element the branch took.
// ADZE: vectorized no-fast
#include "check.h"
#include <math.h>

double byLess(const double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; ++i)
    if (x[i] < m)
      m = x[i];
  return m * m;
}
double byLessEqual(const double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; ++i)
    if (x[i] <= m)
      m = x[i];
  return m * m;
}
double byFmin(const double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; ++i)
    m = fmin(m, x[i]);
  return m * m;
}
double bySelect(const double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; ++i)
    m = m < x[i] ? m : x[i];
  return m * m;
}
static const double earliest[] = {0, 1, 0, 0, 0}, latest[] = {0, 0, 0, 1, 0};
#define AT ADZE_AT(3.0, 0.5, 2.0, 0.5, 1.0)
ADZE_TEST_ARRAY(byLess, 5, AT, .expected = earliest, .flags = ADZE_NO_DIFFERENCES)
ADZE_TEST_ARRAY(byLessEqual, 5, AT, .expected = latest, .flags = ADZE_NO_DIFFERENCES)
ADZE_TEST_ARRAY(bySelect, 5, AT, .expected = latest, .flags = ADZE_NO_DIFFERENCES)
// The running value is the first operand of fmin.
ADZE_TEST_ARRAY(byFmin, 5, AT, .expected = earliest, .flags = ADZE_NO_DIFFERENCES)
