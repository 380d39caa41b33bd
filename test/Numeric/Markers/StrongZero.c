// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_strong_zero: for one call a zero stays a zero under every partial, in
// both modes, in callees and in two halves. Without it the NaN is seen.
#include "check.h"
#include <math.h>

__attribute__((noinline)) static double times(double t, double big) { return t * big; }
static double product(double *x, double big) { return times(x[0], big) * x[1]; }

#if ADZE_REVERSE || ADZE_FORWARD
extern int enzyme_dup, enzyme_const, enzyme_strong_zero;
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(kept) {
  void __enzyme_autodiff(void *, ...);
  void *__enzyme_augmentfwd(void *, ...);
  void __enzyme_reverse(void *, ...);
  double x[2] = {1, 0}, dx[2] = {0, 0}, plain[2] = {0, 0}, halves[2] = {0, 0};
  __enzyme_autodiff((void *)product, enzyme_strong_zero, enzyme_dup, x, dx, enzyme_const,
                    HUGE_VAL);
  adze_near("a zero", dx[0], 0, 0);
  __enzyme_autodiff((void *)product, enzyme_dup, x, plain, enzyme_const, HUGE_VAL);
  adze_near("without", isnan(plain[0]), 1, 0);
  void *tape = __enzyme_augmentfwd((void *)product, enzyme_strong_zero, enzyme_dup, x, halves,
                                   enzyme_const, HUGE_VAL);
  __enzyme_reverse((void *)product, enzyme_strong_zero, enzyme_dup, x, halves, enzyme_const,
                   HUGE_VAL, 1.0, tape);
  adze_near("in two halves", halves[0], 0, 0);
}
#endif
#if ADZE_FORWARD
ADZE_TEST_FORWARD(kept) {
  double __enzyme_fwddiff(void *, ...);
  double x[2] = {1, 1}, dx[2] = {0, 0};
  adze_near("a zero",
            __enzyme_fwddiff((void *)product, enzyme_strong_zero, enzyme_dup, x, dx,
                             enzyme_const, HUGE_VAL),
            0, 0);
  adze_near("without",
            isnan(__enzyme_fwddiff((void *)product, enzyme_dup, x, dx, enzyme_const, HUGE_VAL)),
            1, 0);
}
#endif
