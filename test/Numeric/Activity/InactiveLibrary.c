// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the library registered inactive, which the compiler may write as intrinsics;
// those that it may compute with others stay themselves.
// ADZE: flags="-fno-math-errno"
#include "check.h"
#include <math.h>

void *__enzyme_inactivefn_library[] = {(void *)exp, (void *)expf, (void *)cbrt, (void *)frexp,
                                       (void *)pow};

double f(double x) {
  int e;
  return exp(x) * x + cbrt(x) * x + frexp(x, &e) * x + expf((float)x) * x + pow(x, 2) * x +
         log(x);
}
static double d(double x) {
  int e;
  return exp(x) + cbrt(x) + frexp(x, &e) + expf((float)x) + x * x + 1 / x;
}
ADZE_TEST_SCALAR1(f, ADZE_AT(0.7, 1.9), .derivative = d, .flags = ADZE_NO_DIFFERENCES,
                  .exact = 1e-12)
