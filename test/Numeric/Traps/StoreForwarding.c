// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that reach a later loop only through memory the optimizer would rather not touch.
#include "check.h"

double forwarding(const double *x, int n) {
  double a[8], prev = x[0], s = 0;
  a[0] = prev;
  for (int i = 1; i < 8; ++i) {
    a[i] = a[i - 1] * x[i % n] + prev;
    prev = a[i - 1];
  }
  for (int i = 7; i > 0; --i) {
    s += a[i] * a[i - 1];
    a[i - 1] = s * 0.1;
  }
  return s + a[0];
}

ADZE_TEST_ARRAY(forwarding, 3, ADZE_AT(0.5, 0.7, -0.4))
