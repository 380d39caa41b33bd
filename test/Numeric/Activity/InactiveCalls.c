// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __enzyme_call_inactive: arguments of all kinds, promoted and in structures; variadic and
// library functions; a function that is active when it is called plainly.
// ADZE: vectorized
#include "check.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef ADZE_PRIMAL_ONLY
#define INACTIVE(type, f, ...) f(__VA_ARGS__)
#else
#define INACTIVE(type, f, ...) __enzyme_call_inactive_##type((void *)f, __VA_ARGS__)
#endif
struct pair { double a, b; };
struct big { double v[5]; };
double __enzyme_call_inactive_double(void *, ...);
float __enzyme_call_inactive_float(void *, ...);
int __enzyme_call_inactive_int(void *, ...);
void __enzyme_call_inactive_void(void *, ...);
struct pair __enzyme_call_inactive_pair(void *, ...);
struct big __enzyme_call_inactive_big(void *, ...);

static double square(double x) { return x * x; }
static float scaled(float x, short k, unsigned char u) { return x * k + u; }
static struct pair swapped(struct pair p, int flip) {
  struct pair q = {p.b, p.a};
  return flip ? q : p;
}
static struct big filled(struct big b, double x) {
  for (int i = 0; i < 5; ++i)
    b.v[i] *= x;
  return b;
}
static void count(int *n) { ++*n; }

double scalars(double x) {
  double c = INACTIVE(double, square, x);
  return c * x + square(x) + INACTIVE(float, scaled, (float)x, (short)-3, (unsigned char)200);
}
static double d_scalars(double x) { return 3 * x * x - 2 * x * x + 2 * x; }
ADZE_TEST_SCALAR1(scalars, ADZE_AT(0.5, -1.5), .derivative = d_scalars,
                  .flags = ADZE_NO_DIFFERENCES)

double structures(double x, double y) {
  struct pair p = {x, y};
  struct pair q = INACTIVE(pair, swapped, p, 1);
  struct big b = {{x, y, 1, 2, 3}};
  struct big c = INACTIVE(big, filled, b, 2.0);
  return x * q.a + y * q.b * c.v[4] + c.v[0] * y;
}
static void d_structures(const double *x, double *J) {
  J[0] = x[1];
  J[1] = 6 * x[0] + 2 * x[0];
}
ADZE_TEST_SCALAR2(structures, ADZE_AT(0.5, -1.5), .jacobian = d_structures,
                  .flags = ADZE_NO_DIFFERENCES)

double library(double x) {
  char text[40];
  int n = 0;
  INACTIVE(int, snprintf, text, sizeof text, "%s %d %.3f %c", "is", 42, x, 'z');
  INACTIVE(void, count, &n);
  double c = INACTIVE(double, sin, x);
  return c * x * n + (double)(int)strlen(text) * x;
}
static double d_library(double x) {
  return sin(x) + (x < 0 ? 14 : 13);
}
ADZE_TEST_SCALAR1(library, ADZE_AT(0.5, -1.5), .derivative = d_library,
                  .flags = ADZE_NO_DIFFERENCES)
