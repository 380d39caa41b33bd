// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that vary with the innermost loop only, the count of which varies with the loop
// around it: each pass of the outermost loop has rows of its own.
#include "check.h"
#include <math.h>

double rows(const double *x, int n) {
  double s = 1;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        s = s * 0.5 + exp(x[j]) * exp(x[j]) + sin(s);
  return s;
}
ADZE_TEST_ARRAY(rows, 6, ADZE_AT(0.1, -0.2, 0.3, 0.4, -0.5, 0.6))

double passes(const double *x, int n) {
  double s = 0;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < k; ++i)
      for (int j = i; j < n; ++j)
        for (int l = 0; l < j - i; ++l)
          s = sin(s * exp(x[l]) + exp(x[j]) * x[k]) + cos(x[i] + l);
  return s;
}
ADZE_TEST_ARRAY(passes, 5, ADZE_AT(0.1, -0.2, 0.3, 0.4, -0.5))

double unknownPasses(const double *x, int n) {
  double s = 0;
  for (int k = 0; s < 5 && k < 40; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        s = s * 0.75 + exp(x[j]) * exp(x[i]) * 0.5;
  return s;
}
ADZE_TEST_ARRAY(unknownPasses, 5, ADZE_AT(0.1, -0.2, 0.3, 0.4, -0.5))
