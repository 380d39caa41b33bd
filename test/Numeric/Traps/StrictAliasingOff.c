// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled without type-based alias information: types come from the uses alone.
// ADZE: flags=-fno-strict-aliasing
#include "check.h"
#include <string.h>

struct part {
  int kind;
  double value;
};

double untyped(const double *x, int n) {
  struct part p[3];
  unsigned char raw[sizeof p];
  for (int i = 0; i < 3; ++i) {
    p[i].kind = i;
    p[i].value = x[i % n] * x[0];
  }
  memcpy(raw, p, sizeof p);
  struct part q[3];
  memcpy(q, raw, sizeof q);
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += q[i].value * q[(i + 1) % 3].value * (q[i].kind + 1);
  return s;
}

ADZE_TEST_ARRAY(untyped, 3, ADZE_AT(0.9, 0.8, -0.7))
