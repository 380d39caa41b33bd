// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths that end in exit, abort or a failed assert.
#include "check.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static double checked(double x) {
  if (x < -100) {
    fprintf(stderr, "negative\n");
    exit(3);
  }
  assert(x < 100 && "large");
  return x * x;
}

double safe(double x, double y) {
  double r = checked(x) * checked(y);
  if (r > 1e10)
    abort();
  return r;
}

ADZE_TEST_SCALAR2(safe, ADZE_AT(0.9, 1.3))
