// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test of the tests: the markers are written by hand here, rightly (BUG = 0) or with
// one fault each, and check.c must find every fault. Compiled without the plugin, so a
// marker is a function like any other. selftest.py knows what each fault must lead to.
#include "check.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_noret,
    enzyme_primal_return;

void f(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = sin(x[0]);
}

void __enzyme_autodiff_void(void *fn, ...) {
  static int calls;
  va_list a;
  va_start(a, fn);
  (void)va_arg(a, int);
  double *x = va_arg(a, double *), *dx = va_arg(a, double *);
  (void)va_arg(a, int);
  double *y = va_arg(a, double *), *dy = va_arg(a, double *);
  va_end(a);
  ++calls;
  double g0 = dy[0] * x[1] + dy[1] * cos(x[0]), g1 = dy[0] * x[0];
  f(x, y);
  if (BUG == 1 || BUG == 3)
    g1 *= 1.001;
  if (BUG == 4)
    dx[0] = dx[1] = 0;
  if (BUG == 6)
    y[1] = 0;
  if (BUG == 7 && calls % 3 == 0)
    g0 = nextafter(g0, 9);
  if (BUG == 8)
    dx[2] = 0;
  if (BUG == 9)
    g0 *= 1 + 1e-9;
  if (BUG == 11)
    x[0] += 1;
  if (BUG == 14)
    g0 = NAN;
  if (BUG == 16)
    exit(0);
  if (BUG == 17)
    dx[-1] = 0;
  dx[0] += g0;
  dx[1] += g1;
  if (BUG != 5)
    dy[0] = 0;
  dy[1] = 0;
}

void __enzyme_fwddiff_void(void *fn, ...) {
  va_list a;
  va_start(a, fn);
  (void)va_arg(a, int);
  double *x = va_arg(a, double *), *dx = va_arg(a, double *);
  (void)va_arg(a, int);
  double *y = va_arg(a, double *), *dy = va_arg(a, double *);
  va_end(a);
  f(x, y);
  dy[0] = x[0] * dx[1] * (BUG == 3 ? 1.001 : 1) + x[1] * dx[0];
  if (BUG == 2)
    dy[0] += 1e-3 * dx[0];
  if (BUG != 10)
    dy[1] = cos(x[0]) * dx[0];
}

#if BUG == 13
static void J(const double *x, double *j) {
  j[0] = x[1], j[1] = x[0], j[2] = -cos(x[0]), j[3] = 0;
}
ADZE_TEST_MAP(f, 2, 2, ADZE_AT(0.5, 2.0), .jacobian = J)
#elif BUG == 15
ADZE_TEST_REVERSE(custom) {
  static int n;
  adze_near("a number", ++n == 3 ? 1 + 1e-12 : 1, 1, 1e-9);
}
#elif BUG == 18
ADZE_TEST_FORWARD(custom) { adze_near("a number", 1.1, 1, 1e-9); }
#elif BUG == 19
ADZE_TEST_REVERSE(custom) {}
#elif BUG == 20
ADZE_TEST_MAP(f, 2, 2, ADZE_AT(0.5, 2.0), .flags = ADZE_NO_DIFFERENCES)
#elif BUG != 12
ADZE_TEST_MAP(f, 2, 2, ADZE_AT(0.5, 2.0, -1.0, 0.25))
#endif
