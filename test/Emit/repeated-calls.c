// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee that the reverse pass runs once more is not called before that if nobody uses its result: not the function of the
// program, and not a derivative that is differentiated again. One that may end the program is.
//
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
#define APART __attribute__((noinline))

APART static double energy(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}
APART static double checked(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      abort();
    s += x[i] * x[i] * x[i];
  }
  return s;
}
static double twice(const double *x, int n) { return energy(x, n) + energy(x + 1, n); }
static double safe(const double *x, int n) { return 2 * checked(x, n); }
static double along(const double *x, const double *u, int n) {
  return __enzyme_fwddiff((void *)energy, enzyme_dup, x, u, n);
}

// CHECK-LABEL: define {{.*}}@of_twice(
// CHECK-NOT: @energy(
// CHECK: }
void of_twice(const double *x, double *dx, int n) { __enzyme_autodiff((void *)twice, enzyme_dup, x, dx, n); }
// CHECK-LABEL: define {{.*}}@of_along(
// CHECK-NOT: @adze.fwd.energy(
// CHECK: }
void of_along(const double *x, double *dx, const double *u, int n) {
  __enzyme_autodiff((void *)along, enzyme_dup, x, dx, enzyme_const, u, n);
}
// CHECK-LABEL: define {{.*}}@of_safe(
void of_safe(const double *x, double *dx, int n) { __enzyme_autodiff((void *)safe, enzyme_dup, x, dx, n); }
// CHECK: call {{.*}}@checked(
