// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose length is found when the program runs, and that end within an
// active double, which is read as a whole afterwards.
// RUN: %clang -g -O0 %adze %s -o %t && %t 0 16 && %t 1 16 && %t 2 16
// RUN: not --crash %t 0 12 2>&1 | FileCheck %s
// RUN: not --crash %t 1 12 2>&1 | FileCheck %s
// RUN: %t 2 12
// RUN: %clang -g -O2 %adze %s -o %t && %t 0 16 && %t 1 16 && %t 2 16
// RUN: not --crash %t 0 12 2>&1 | FileCheck %s
// RUN: not --crash %t 1 12 2>&1 | FileCheck %s
// RUN: %t 2 12
// CHECK: adze: a part of an active float was overwritten by a block, and the whole is used
#include <stdlib.h>
#include <string.h>
extern void __enzyme_autodiff_copy(void *, ...);
extern void __enzyme_autodiff_fill(void *, ...);
extern void __enzyme_autodiff_dead(void *, ...);
extern int enzyme_dup, enzyme_const;

__attribute__((noinline)) static double sum(const double *a) { return a[0] + a[1]; }

static double copy(double *x, long length) {
  double a[2] = {x[0], x[1]}, b[2] = {x[0] * x[1], x[1]};
  double y = sum(a) * sum(b);
  memcpy(a, b, length);
  return y + sum(a);
}
static double fill(double *x, long length) {
  double a[2] = {x[0], x[1]};
  double y = sum(a) * x[1];
  memset(a, 0, length);
  return y + sum(a);
}
// Nobody reads it afterwards.
static double dead(double *x, long length) {
  double a[2] = {x[0], x[1]};
  double y = sum(a) * x[1];
  memset(a, 0, length);
  a[1] = x[0];
  return y + sum(a);
}

static int differs(const double *d, double first, double second) { return d[0] != first || d[1] != second; }

int main(int argc, char **argv) {
  double x[2] = {1.5, 2.0}, d[2] = {0};
  long length = atol(argv[2]);
  switch (atoi(argv[1])) {
  case 0: // (x0 + x1) (x0 x1 + x1) + x0 x1 + x1
    __enzyme_autodiff_copy((void *)copy, enzyme_dup, x, d, enzyme_const, length);
    return differs(d, 5.0 + 7.0 + 2.0, 5.0 + 3.5 * 2.5 + 2.5);
  case 1: // (x0 + x1) x1
    __enzyme_autodiff_fill((void *)fill, enzyme_dup, x, d, enzyme_const, length);
    return differs(d, 2.0, 5.5);
  default: // (x0 + x1) x1 + x0
    __enzyme_autodiff_dead((void *)dead, enzyme_dup, x, d, enzyme_const, length);
    return differs(d, 3.0, 5.5);
  }
}
