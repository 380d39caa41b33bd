// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee's result is needed by the derivative of what follows, and it returns a struct
// of a number and an index.
#include "check.h"

struct best {
  double value;
  int index;
};
__attribute__((noinline)) static struct best maximum(const double *x, int n) {
  struct best b = {x[0], 0};
  for (int i = 1; i < n; ++i)
    if (x[i] > b.value) {
      b.value = x[i];
      b.index = i;
    }
  return b;
}

double useIt(const double *x, int n) {
  struct best b = maximum(x, n);
  double s = b.value * b.value;
  return s * x[(b.index + 1) % n] + b.value;
}

ADZE_TEST_ARRAY(useIt, 4, ADZE_AT(0.9, 1.3, -2.0, 0.5, 0.1, 0.2, 0.3, 0.7))
