// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that gets a pointer to ints or characters writes over a part of an
// active double of its caller, of which it knows nothing itself: the caller's
// types tell it. The double is then read as a whole: reverse mode stops,
// forward mode gives no number.
// RUN: %clang -g -O0 %adze %s -o %t && %t 0
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 4 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 5 2>&1 | FileCheck --check-prefix=BYTES %s
// RUN: not --crash %t 6 2>&1 | FileCheck --check-prefix=FILL %s
// RUN: not --crash %t 7 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: %clang -g -O2 -fno-strict-aliasing %adze %s -o %t && %t 0
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 4 2>&1 | FileCheck --check-prefix=HIGH %s
// RUN: not --crash %t 5 2>&1 | FileCheck --check-prefix=BYTES %s
// RUN: not --crash %t 6 2>&1 | FileCheck --check-prefix=FILL %s
// RUN: not --crash %t 7 2>&1 | FileCheck --check-prefix=HIGH %s
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup;

static volatile int number = 0x40000000;
static volatile int whole; // the double is written again, and only then read
static volatile int one = 1;

// HIGH: adze: {{.*}}[[#@LINE+1]]:{{[0-9]+}}: a part of an active float was overw
__attribute__((noinline)) static void set(int *p) { *p = number; }
__attribute__((noinline)) static void setNext(int *p) { set(p + 1); }
__attribute__((noinline)) static void setBytes(char *p, int n) {
  for (int i = 0; i < n; ++i)
    // BYTES: adze: {{.*}}[[#@LINE+1]]:{{[0-9]+}}: a part of an active float was overw
    p[i] = (char)(2 * i + number);
}
// FILL: adze: {{.*}}[[#@LINE+1]]:{{[0-9]+}}: a part of an active float was overw
__attribute__((noinline)) static void fill(char *p) { memset(p, 0, 4); }

__attribute__((noinline)) static double weigh(const double *d,
                                              const double *x) {
  return whole ? x[0] + x[1] : d[0] * 3 + d[1];
}

static double low(double *x) {
  double d[2] = {x[0] * x[0], x[1]};
  set((int *)d);
  return weigh(d, x);
}
static double high(double *x) {
  double d[2] = {x[0] * x[0], x[1]};
  set((int *)d + 1);
  return weigh(d, x);
}
static double through(double *x) {
  double d[2] = {x[0] * x[0], x[1]};
  setNext((int *)d);
  return weigh(d, x);
}
static double some(double *x) {
  double d[2] = {x[1], x[0] * x[0]};
  set((int *)d + 2 * one + 1);
  return weigh(d, x);
}
static double bytes(double *x) {
  double d[2] = {x[0] * x[0], x[1]};
  setBytes((char *)d + 2, 5 * one);
  return weigh(d, x);
}
static double half(double *x) {
  double d[2] = {x[0] * x[0], x[1]};
  fill((char *)d + 4);
  return weigh(d, x);
}
// Through a function that knows no more than the one that it calls.
static double twice(double *x) {
  double d[2] = {x[0] * x[0], x[1]};
  for (int i = 0; i < 2; ++i)
    setNext((int *)d - 1 + i);
  return weigh(d, x);
}

#define FUNCTIONS(DO)                                                          \
  DO(low) DO(high) DO(through) DO(some) DO(bytes) DO(half) DO(twice)
#define DECLARE(F)                                                             \
  extern void __enzyme_autodiff_##F(void *, ...);                              \
  extern double __enzyme_fwddiff_##F(void *, ...);
FUNCTIONS(DECLARE)
#define CASE(F)                                                                \
  if (--which == 0) {                                                          \
    if (!reverse)                                                              \
      return __enzyme_fwddiff_##F((void *)F, enzyme_dup, x, dx);               \
    __enzyme_autodiff_##F((void *)F, enzyme_dup, x, dx);                       \
  }
static double derivative(int which, int reverse, double *x, double *dx) {
  FUNCTIONS(CASE)
  return 0;
}

int main(int argc, char **argv) {
  double x[2] = {1.5, 2.5};
  int which = atoi(argv[1]);
  for (int k = which ? which : 1; k <= (which ? which : 7); ++k) {
    whole = 1;
    double d[2] = {0}, first[2] = {1, 0};
    derivative(k, 1, x, d);
    if (d[0] != 1 || d[1] != 1 || derivative(k, 0, x, first) != 1)
      return 1;
    whole = 0;
    double inX0 = derivative(k, 0, x, first);
    if (inX0 == inX0)
      return 2;
    if (which)
      derivative(k, 1, x, d);
  }
  return 0;
}
