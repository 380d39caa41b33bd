// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local array indexed by constants, then at run time; one that a loop writes
// anew of whose count nothing is known.
#include "check.h"
#include <math.h>

void local(const double *x, double *y) {
  double a[4] = {x[0], x[1] * x[0], 2, x[2]};
  for (int i = 0; i < 3; ++i)
    a[i + 1] += a[i] * x[i];
  for (int i = 0; i < 4; ++i)
    y[i] = a[3 - i] * a[(i * 3) % 4];
}

ADZE_TEST_MAP(local, 3, 4, ADZE_AT(0.7, -1.2, 0.9))

static __attribute__((noinline)) void stop(long *end, long i) {
  *end = i < 5 ? i + 2 : 0;
}

static __attribute__((noinline)) void untilStopped(const double *x, double *y,
                                                   long begin, long end) {
  for (long i = begin; i < end; i++) {
    double a[4];
    for (int m = 0; m < 4; m++)
      a[m] = sin(x[i]) * (m + 1);
    y[i] = a[0] * a[3];
    stop(&end, i);
  }
}
static volatile long Begin; // nobody knows that it is 0
void stopped(const double *x, double *y) {
  untilStopped(x, y, Begin, Begin + 1);
}

ADZE_TEST_MAP(stopped, 6, 6, ADZE_AT(0.7, -1.2, 0.9, 0.3, 1.1, 0.5))
