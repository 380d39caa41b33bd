// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memset with a byte that is not zero, onto integers beside active data, and of size 0.
#include "check.h"
#include <string.h>

double bytes(double x, double y) {
  struct {
    unsigned char mask[8];
    double v;
  } s;
  memset(s.mask, 0xff, sizeof s.mask);
  s.v = x;
  memset(&s.v, 0, 0);
  double r = 0;
  for (int i = 0; i < 8; ++i)
    if (s.mask[i] & (1 << i))
      r += s.v * y;
  memset(&s, 0x55, sizeof s.mask);
  return r * s.mask[3] * s.v;
}

ADZE_TEST_SCALAR2(bytes, ADZE_AT(0.9, 1.1, -0.7, 0.4))
