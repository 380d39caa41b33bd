// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm.frexp returns a struct of the mantissa and the exponent.
#include "check.h"

struct pair {
  double mantissa;
  int exponent;
};
struct pair split(double) __asm__("llvm.frexp.f64.i32");

void parts(const double *x, double *y) {
  struct pair p = split(x[0] * x[1]);
  y[0] = p.mantissa * p.mantissa;
  y[1] = p.exponent * x[0];
}

ADZE_TEST_MAP(parts, 2, 2, ADZE_AT(7.3, 2.5, -0.1, 0.3))
