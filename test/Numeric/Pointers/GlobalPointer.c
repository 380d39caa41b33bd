// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global variable that points to active or to constant memory, set by one function and followed
// by another; the setting of an earlier derivative is still there.
#include "check.h"

static double *current;
static double scale;

__attribute__((noinline)) static void set(double *p, double s) {
  current = p;
  scale = s;
}

__attribute__((noinline)) static double follow(int i) { return current[i] * scale; }

double f(double *x, double *c, int use) {
  set(use ? c : x, x[1]);
  double r = follow(0) + follow(1) * x[0];
  current[2] = r;
  return r;
}

// use: (c0 + c1 x0) x1;  else (x0 + x1 x0) x1
#if ADZE_REVERSE
extern void __enzyme_autodiff_g(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  for (int round = 0; round < 4; ++round) {
    int use = round % 2;
    double x[3] = {2, 3, 5}, d[3] = {0, 0, 0}, c[3] = {7, 11, 13};
    __enzyme_autodiff_g((void *)f, enzyme_dup, x, d, enzyme_const, c, enzyme_const, use);
    adze_near("d0", d[0], use ? 33 : 3 + 9, 0);
    adze_near("d1", d[1], use ? 7 + 22 : 2 + 12, 0);
    adze_near("c0", c[0], 7, 0);
    adze_near("c1", c[1], 11, 0);
  }
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_g(void *, ...);
ADZE_TEST_FORWARD(forward) {
  for (int round = 0; round < 4; ++round) {
    int use = round % 2;
    double x[3] = {2, 3, 5}, d[3] = {1, 10, 0}, c[3] = {7, 11, 13};
    double r =
        __enzyme_fwddiff_g((void *)f, enzyme_dup, x, d, enzyme_const, c, enzyme_const, use);
    adze_near("r", r, use ? 33 + 290 : 12 + 140, 0);
    adze_near("c0", c[0], 7, 0);
    adze_near("c1", c[1], 11, 0);
  }
}
#endif
