// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf, puts and fprintf of active values inside a loop.
#include "check.h"
#include <stdio.h>

double chatty(double x) {
  double s = 1;
  for (int i = 0; i < 2; ++i) {
    s *= x;
    if (s > 1e6)
      printf("s = %f in round %d\n", s, i);
  }
  if (s > 1e7) {
    puts("large");
    fprintf(stderr, "%g\n", s);
    fflush(stderr);
  }
  return s + x;
}

static double d(double x) { return 2 * x + 1; }
ADZE_TEST_SCALAR1(chatty, ADZE_AT(0.9, -1.5), .derivative = d)
