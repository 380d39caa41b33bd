// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isnan, isfinite, isinf, isnormal, fpclassify, isless and nan() in active code.
#include "check.h"
#include <math.h>

double classify(double x, double y) {
  double s = x * y;
  if (isnan(s) || isinf(y))
    return 0;
  if (isfinite(s) && isnormal(x))
    s += x;
  switch (fpclassify(y)) {
  case FP_ZERO:
    return s;
  case FP_NORMAL:
    s *= y;
    break;
  default:
    s = nan("");
  }
  if (isless(x, y) || isunordered(x, y))
    s -= y;
  if (islessgreater(x, y) && isgreaterequal(x, -100))
    s += x * x;
  return s;
}

ADZE_TEST_SCALAR2(classify, ADZE_AT(0.5, -2.0, 0.5, 1.5, 3.0, 0.25))
