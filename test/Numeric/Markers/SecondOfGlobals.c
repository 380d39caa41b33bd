// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second and third derivatives of functions that keep active data in global variables: tangents
// and adjoints of one variable, of an inner and an outer derivative, are different variables.
#include "check.h"
#include <math.h>

static double kept[2];
static double *place; // leads to kept

__attribute__((noinline)) static void put(double x, int i) { place[i] = x * x; }

static double f(double x, int i) { // sin(x^2) (x sin(x^2))^2
  place = kept;
  put(x, i);
  double s = sin(kept[i]);
  put(s * x, i);
  return s * place[i];
}

static double first(double x) { return 2 * x * pow(sin(x * x), 3) + 6 * pow(x, 3) * pow(sin(x * x), 2) * cos(x * x); }
static double second(double x) {
  double q = x * x, s = sin(q), c = cos(q);
  return 2 * s * s * s + 30 * q * s * s * c + 24 * q * q * s * c * c - 12 * q * q * s * s * s;
}
static double third(double x) {
  double q = x * x, s = sin(q), c = cos(q);
  return 72 * x * s * s * c + x * q * (216 * s * c * c - 108 * s * s * s) +
         q * q * x * (48 * c * c * c - 168 * s * s * c);
}

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_autodiff_outer(void *, ...);
extern double __enzyme_fwddiff_outer(void *, ...);
extern double __enzyme_fwddiff_outermost(void *, ...);
static double gradient(double x, int i) { return __enzyme_autodiff((void *)f, x, enzyme_const, i); }
static double tangent(double x, int i) { return __enzyme_fwddiff((void *)f, x, 1.0, enzyme_const, i); }
static volatile int one = 1;
static const double points[3] = {0.7, -1.1, 0.2};

#if ADZE_FORWARD
static double ofGradient(double x, int i) {
  return __enzyme_fwddiff_outer((void *)gradient, x, 1.0, enzyme_const, i);
}
ADZE_TEST_FORWARD(forward) {
  for (int k = 0; k < 3; ++k) {
    double x = points[k];
    adze_near("gradient", gradient(x, one), first(x), 1e-13);
    adze_near("over gradient", ofGradient(x, one), second(x), 1e-12);
    adze_near("over tangent", __enzyme_fwddiff_outer((void *)tangent, x, 1.0, enzyme_const, one), second(x), 1e-12);
    adze_near("third", __enzyme_fwddiff_outermost((void *)ofGradient, x, 1.0, enzyme_const, one), third(x), 1e-12);
  }
}
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(reverse) {
  for (int k = 0; k < 3; ++k) {
    double x = points[k];
    adze_near("tangent", tangent(x, one), first(x), 1e-13);
    adze_near("over gradient", __enzyme_autodiff_outer((void *)gradient, x, enzyme_const, one), second(x), 1e-12);
    adze_near("over tangent", __enzyme_autodiff_outer((void *)tangent, x, enzyme_const, one), second(x), 1e-12);
  }
}
#endif
