// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions registered to be like those of the library: their bodies are not looked at.
#include "check.h"
#include <math.h>

// A table walk whose own derivative is that of a step.
static double my_sin(double x) {
  double r = 0, t = x;
  for (int i = 1; i < 40; i += 2) {
    r += t;
    t *= -x * x / ((i + 1) * (i + 2));
  }
  return floor(r * 1e15) / 1e15;
}
static double my_power(double x, double y) { return exp2(floor(log2(x) * y * 1e14) / 1e14); }
static void log_line(double *x) { x[0] = x[0]; }
static const char *word(void) { return "x"; }
void *__enzyme_function_like_sin[] = {(void *)my_sin, "sin"};
void *__enzyme_function_like_more[] = {(void *)my_power, "pow", (void *)log_line, "puts"};

double f(double x) { return my_sin(x) * x; }
static double df(double x) { return cos(x) * x + sin(x); }
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, -1.5), .derivative = df, .exact = 1e-12,
                  .flags = ADZE_NO_DIFFERENCES)

double g(double x, double y) {
  double v[2] = {my_power(x, y), 3};
  log_line(v);
  return v[0] * v[1] * word()[0] / 120.0;
}
static void dg(const double *x, double *J) {
  J[0] = 3 * x[1] * pow(x[0], x[1] - 1);
  J[1] = 3 * log(x[0]) * pow(x[0], x[1]);
}
ADZE_TEST_SCALAR2(g, ADZE_AT(1.5, 2.5), .jacobian = dg, .exact = 1e-12,
                  .flags = ADZE_NO_DIFFERENCES)

#if ADZE_REVERSE
double __enzyme_autodiff_itself(void *, ...);
ADZE_TEST_REVERSE(itself) {
  adze_near("cos", __enzyme_autodiff_itself((void *)my_sin, 0.25), cos(0.25), 1e-14);
}
#endif
