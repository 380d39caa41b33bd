// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit-fields in front of, between and behind doubles.
#include "check.h"

struct settings {
  unsigned a : 3, b : 13;
  double value;
  unsigned long c : 40;
  float part;
  unsigned d : 1;
  double other;
};

static struct settings next(struct settings s) {
  s.a = s.a + 1;
  s.c += s.b;
  s.d ^= 1;
  s.value *= s.other;
  return s;
}

void fields(const double *x, double *y) {
  struct settings s[2] = {{1, 7, x[0], 5, 0.5f, 0, x[1]},
                          {2, 8, x[1], 6, 2.0f, 1, x[2]}};
  for (int i = 0; i < 3; ++i)
    s[i & 1] = next(s[1 - (i & 1)]);
  y[0] = s[0].value * s[0].a + s[1].value * s[0].c;
  y[1] = s[1].other * s[1].d + (double)s[0].part * s[0].value;
}

ADZE_TEST_MAP(fields, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
