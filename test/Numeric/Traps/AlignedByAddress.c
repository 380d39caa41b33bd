// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first element of an array that is aligned for vectors is found by its address. The shadow's
// address says nothing of that.
#include "check.h"
#include <stdint.h>

typedef double pair __attribute__((vector_size(16)));

double squares(double *x, int n) {
  long i = (uintptr_t)x % 16 ? 1 : 0;
  pair s = {i ? x[0] * x[0] : 0, 0};
  for (; i + 2 <= n; i += 2) {
    pair *p = (pair *)(x + i), v = *p;
    s += v * v;
    *p = v * 3;
  }
  return s[0] + s[1];
}

#define ALIGNED double __attribute__((aligned(32)))
#if ADZE_REVERSE
extern void __enzyme_autodiff_aligned(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  ALIGNED x[4] = {1, 2, 3, 4};
  ALIGNED dx[5] = {0, 1, 0, 0, 0};
  __enzyme_autodiff_aligned((void *)squares, enzyme_dup, x, dx + 1, enzyme_const, 4);
  adze_near("dx0", dx[1], 2 + 3, 0);
  adze_near("dx3", dx[4], 8, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_aligned(void *, ...);
ADZE_TEST_FORWARD(forward) {
  ALIGNED x[4] = {1, 2, 3, 4};
  ALIGNED dx[5] = {0, 1, 0, 0, 1};
  double d = __enzyme_fwddiff_aligned((void *)squares, enzyme_dup, x, dx + 1, enzyme_const, 4);
  adze_near("d", d, 2 + 8, 0);
  adze_near("dx0", dx[1], 3, 0);
}
#endif
