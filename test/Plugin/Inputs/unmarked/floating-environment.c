// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fenv.h>
#include <math.h>
#pragma STDC FENV_ACCESS ON
double upward(double a, double b) {
  int before = fegetround();
  fesetround(FE_UPWARD);
  double sum = a + b;
  fesetround(before);
  return sum;
}
int inexact(double a) {
  feclearexcept(FE_ALL_EXCEPT);
  volatile double root = sqrt(a);
  (void)root;
  return fetestexcept(FE_INEXACT) != 0;
}
