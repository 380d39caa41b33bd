// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponent of an active double is replaced, and the end of its mantissa
// kept; or its mantissa in the middle: no derivative, in either mode.
// RUN: not %clang -O0 -g -DMODE=__enzyme_autodiff %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=CHECK,REVERSE %s
// RUN: not %clang -O2 -g -DMODE=__enzyme_fwddiff %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=CHECK,FORWARD %s
#include <string.h>
double MODE(void *, ...);

// By a constant, by that of another double, by zeros.
double constant(double *x) {
  double d = x[0];
  ((int *)&d)[1] = 0x40000000;
  return d * x[1];
}
double other(double *x) {
  double d = x[0], e = x[1];
  memcpy((char *)&d + 4, (char *)&e + 4, 4);
  return d * x[1];
}
double zeros(double *x) {
  double d = x[0];
  memset((char *)&d + 4, 0, 4);
  return d * x[1];
}
// In the middle.
double middle(double *x, int n) {
  double d = x[0];
  memcpy((char *)&d + 2, &n, sizeof n);
  return d * x[1];
}
double gap(double *x) {
  double d = x[0];
  memset((char *)&d + 2, 0, 3);
  return d * x[1];
}

void derivatives(double *x, double *dx) {
  // REVERSE-COUNT-5: error: no derivative rule for this instruction: a part of an active float that is overwritten
  // FORWARD-COUNT-5: error: no derivative rule for this instruction: a part of an active float that is overwritten
  // CHECK-NOT: error:
  // CHECK: 5 errors generated
  MODE((void *)constant, x, dx);
  MODE((void *)other, x, dx);
  MODE((void *)zeros, x, dx);
  MODE((void *)middle, x, dx, 3);
  MODE((void *)gap, x, dx);
}
