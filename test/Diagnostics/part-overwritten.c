// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of an active double is overwritten, which is then read as a whole: only
// the run can tell that from a union whose other member is used. Reverse mode
// stops, forward mode gives no number. In the directions that do not matter,
// and where the double is dead, all is right.
// RUN: %clang -g -O0 %adze %s -o %t && %t 0
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=UNION %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=ARRAY %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=BYTES %s
// RUN: not --crash %t 4 2>&1 | FileCheck --check-prefix=FILL %s
// RUN: %clang -g -O2 %adze %s -o %t && %t 0
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=UNION %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=ARRAY %s
// RUN: not --crash %t 4 2>&1 | FileCheck --check-prefix=FILL %s
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup;

static volatile int number = 0x40000000;
static volatile int whole; // the double is written again, and only then read

union Cell {
  double d;
  int i[2];
};
__attribute__((noinline)) static double square(const union Cell *c) { return c->d * c->d; }
__attribute__((noinline)) static double sum(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}

// UNION: adze: {{.*}}part-overwritten.c:[[#@LINE+4]]:{{[0-9]+}}: a part of an active float was overwritten, and the whole is used
static double unions(double *x) {
  union Cell c = {x[0]};
  double y = square(&c);
  c.i[1] = number;
  if (whole)
    c.d = x[1];
  return y + square(&c);
}

// ARRAY: adze: {{.*}}part-overwritten.c:[[#@LINE+6]]:{{[0-9]+}}: a part of an active float was overwritten, and the whole is used
static double array(double *x) {
  double a[4];
  for (int i = 0; i < 4; ++i)
    a[i] = x[i & 1] * (i + 1);
  for (int i = 0; i < 4; i += 2)
    ((int *)a)[2 * i + 1] = number;
  if (whole)
    a[0] = a[2] = x[1];
  return sum(a, 4);
}

// BYTES: adze: {{.*}}part-overwritten.c:[[#@LINE+5]]:{{[0-9]+}}: a part of an active float was overwritten, and the whole is used
static double bytes(double *x) {
  union Cell c = {x[0]};
  double y = square(&c);
  for (int i = 0; i < 8; ++i)
    ((unsigned char *)&c.d)[i] = 0x40; // 32.5
  if (whole)
    c.d = x[1];
  return y + square(&c);
}

// FILL: adze: {{.*}}part-overwritten.c:[[#@LINE+4]]:{{[0-9]+}}: a part of an active float was overwritten, and the whole is used
static double fill(double *x) {
  double a[4] = {x[0], x[0], x[0], x[0]};
  double y = sum(a, 4);
  memset(a, 0, 20); // all of a[0] and a[1], half of a[2]
  if (whole)
    a[2] = x[1];
  return y + sum(a, 4);
}

#define DERIVATIVE(F)                                                                                        \
  extern void __enzyme_autodiff_##F(void *, ...);                                                            \
  extern double __enzyme_fwddiff_##F(void *, ...);                                                           \
  __attribute__((noinline)) static double derivative_##F(int reverse, double *x, double *dx) {               \
    if (!reverse)                                                                                            \
      return __enzyme_fwddiff_##F((void *)F, enzyme_dup, x, dx);                                             \
    __enzyme_autodiff_##F((void *)F, enzyme_dup, x, dx);                                                     \
    return 0;                                                                                                \
  }
DERIVATIVE(unions)
DERIVATIVE(array)
DERIVATIVE(bytes)
DERIVATIVE(fill)
static double derivative(int which, int reverse, double *x, double *dx) {
  switch (which) {
  case 1:
    return derivative_unions(reverse, x, dx);
  case 2:
    return derivative_array(reverse, x, dx);
  case 3:
    return derivative_bytes(reverse, x, dx);
  default:
    return derivative_fill(reverse, x, dx);
  }
}

int main(int argc, char **argv) {
  double x[2] = {1.5, 2.5};
  int which = atoi(argv[1]);
  for (int k = which ? which : 1; k <= (which ? which : 4); ++k) {
    whole = 1;
    double d[2] = {0}, first[2] = {1, 0}, second[2] = {0, 1};
    derivative(k, 1, x, d);
    double a = derivative(k, 0, x, first), b = derivative(k, 0, x, second);
    if (d[0] != a || d[1] != b || d[1] == 0)
      return 1;
    whole = 0;
    double inX0 = derivative(k, 0, x, first), inX1 = derivative(k, 0, x, second);
#if !defined(__OPTIMIZE__)
    int loud = inX0 != inX0;
#else
    int loud = inX0 != inX0 || k == 3; // LLVM makes one fill of the loop
#endif
    if (!loud || inX1 != inX1)
      return 2;
    if (which)
      derivative(k, 1, x, d);
  }
  return 0;
}
