// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of 8, 16 and 64 bits, one that wraps, one with a variable step, one of pointers.
#include "check.h"

void count(const double *x, double *y) {
  double s = *x;
  for (unsigned char i = 250; i != 4; ++i)
    s = s * 0.9 + *x;
  for (short i = -3; i < 3; ++i)
    s = s * (1 + 0.01 * i * *x);
  for (long long i = 1, step = 1; i < 100; i += step, ++step)
    s += *x / (double)i;
  for (unsigned long i = 1; i < 1000; i *= 3)
    s *= 1 - *x / (double)(i + 1);
  *y = s;
}

ADZE_TEST_MAP(count, 1, 1, ADZE_AT(0.3, -1.2))
