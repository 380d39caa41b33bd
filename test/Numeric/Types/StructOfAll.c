// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs with long double, bit-fields, a pointer and floats: arrays of them
// copied, assigned and reversed.
#include "check.h"
#include <string.h>
struct all {
  long double wide;
  unsigned flag : 1, level : 7;
  float f[3];
  double *p;
  short s;
};
void everything(const double *x, double *y) {
  double cells[3] = {x[0] * x[1], x[1] * x[2], x[2] * x[0]};
  struct all a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i].wide = x[i];
    a[i].flag = i & 1, a[i].level = i + 2;
    a[i].f[i] = 0.5f;
    a[i].p = &cells[i];
    a[i].s = (short)i;
  }
  memcpy(b, a, sizeof a);
  struct all t = b[0];
  b[0] = b[2];
  b[2] = t;
  y[0] = 0;
  for (int i = 0; i < 3; ++i)
    y[0] += (double)b[i].wide * *b[i].p * b[i].level * (b[i].flag ? 2 : 1) *
            (b[i].s + 1);
}
ADZE_TEST_MAP(everything, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
