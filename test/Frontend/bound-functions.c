// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that a marker's function is told as a constant is known in it, and
// to the markers in it. Without that, calls of it are guarded guesses.
// RUN: %clang -O0 %adze -I%include %s -o %t0 && %t0 | FileCheck %s
// RUN: %clang -O1 %adze -I%include %s -o %t1 && %t1 | FileCheck %s
// RUN: %clang -O2 -g %adze -I%include %s -o %t2 && %t2 | FileCheck %s
#include "adze/adze.h"
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef double function(double);

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

static double call(function *f, double x) { return f(x); }
static double slope(function *f, double x) {
  return __enzyme_autodiff((void *)call, enzyme_const, f, x);
}
// These are no derivatives.
static double slope_at(function *f, double x) {
  return __enzyme_autodiff((void *)f, x);
}
static double newton(function *f, double x, int steps) {
  return steps == 0 ? x : newton(f, x - f(x) / slope_at(f, x), steps - 1);
}
static double shifted(double x) { return x * x - 2; }
static double negative(double x) { return 3 - x * x; }
static double both(function *f, function *g, double x) { return f(x) * g(x); }

int main(void) {
  // CHECK: 6 27
  printf("%g %g\n", slope_at(square, 3.0), slope_at(cube, 3.0));
  // CHECK: 1.41421 1.73205
  printf("%g %g\n", newton(shifted, 1.0, 9), newton(negative, 2.0, 9));
  // CHECK: 6 27
  printf("%g %g\n", __enzyme_autodiff((void *)call, enzyme_const, square, 3.0),
         __enzyme_autodiff((void *)call, enzyme_const, cube, 3.0));
  // CHECK: 2 18
  printf("%g %g\n",
         __enzyme_fwddiff((void *)slope, enzyme_const, square, enzyme_dup, 3.0,
                          1.0),
         __enzyme_fwddiff((void *)slope, enzyme_const, cube, enzyme_dup, 3.0,
                          1.0));
  // CHECK: 405 405
  printf("%g %g\n",
         __enzyme_autodiff((void *)both, enzyme_const, square, enzyme_const,
                           cube, enzyme_out, 3.0),
         __enzyme_fwddiff((void *)both, enzyme_const, cube, enzyme_const,
                          square, enzyme_dup, 3.0, 1.0));
}
