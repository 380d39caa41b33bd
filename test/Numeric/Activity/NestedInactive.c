// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions declared inactive stay so in an outer differentiation; what the inner marker
// alone calls constant does not.
#include "check.h"
#include <math.h>

static double held(double x) { return x; }
void *__enzyme_inactivefn_held = (void *)held;
// Inactive by its declaration when it is called, and a number like others in the derivative.
static double weighted(double x, __attribute__((annotate("enzyme_inactive"))) double w) {
  return x * x * w;
}
static double f(double x, double c) { return x * x * held(x) + sin(c) * x * x; }

#if ADZE_REVERSE
double __enzyme_autodiff_inner(void *, ...);
double __enzyme_fwddiff_inner(void *, ...);
struct two { double x, c; };
struct two __enzyme_autodiff_outer(void *, ...);
static double slope(double x, double c) {
  return __enzyme_fwddiff_inner((void *)f, enzyme_dup, x, 1.0, enzyme_const, c);
}
static double slope_of_weighted(double x, double w) {
  return __enzyme_fwddiff_inner((void *)weighted, x, 1.0, w) + weighted(x, w);
}
ADZE_TEST_REVERSE(parameter) {
  // slope = 2 x w + held
  struct two d = __enzyme_autodiff_outer((void *)slope_of_weighted, 0.5, 3.0);
  adze_near("x", d.x, 2 * 3.0 + 2 * 0.5 * 3.0, 1e-14);
  adze_near("w", d.c, 2 * 0.5, 1e-14);
}
ADZE_TEST_REVERSE(reverse_over_forward) {
  // slope = 2 x held(x) + 2 sin(c) x
  struct two d = __enzyme_autodiff_outer((void *)slope, enzyme_out, 0.5, enzyme_out, 0.3);
  adze_near("x", d.x, 2 * 0.5 + 2 * sin(0.3), 1e-14);
  adze_near("c", d.c, 2 * cos(0.3) * 0.5, 1e-14);
}
#endif
#if ADZE_FORWARD
double __enzyme_autodiff_f(void *, ...);
double __enzyme_fwddiff_f(void *, ...);
static double gradient(double x, double c) {
  return __enzyme_autodiff_f((void *)f, enzyme_out, x, enzyme_const, c);
}
static double gradient_of_weighted(double x, double w) {
  return __enzyme_autodiff_f((void *)weighted, x, w) + weighted(x, w);
}
ADZE_TEST_FORWARD(parameter) {
  double d = __enzyme_fwddiff_f((void *)gradient_of_weighted, 0.5, 1.0, 3.0, 10.0);
  adze_near("d", d, 2 * 3.0 + 2 * 0.5 * 3.0 + 10 * (2 * 0.5), 1e-14);
}
ADZE_TEST_FORWARD(forward_over_reverse) {
  double d = __enzyme_fwddiff_f((void *)gradient, enzyme_dup, 0.5, 1.0, enzyme_dup, 0.3, 2.0);
  adze_near("d", d, 2 * 0.5 + 2 * sin(0.3) + 2 * 2 * cos(0.3) * 0.5, 1e-14);
}
#endif
