// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A marker on a function that calls a function that holds a marker: inner
// derivatives are made first.
//
// RUN: %clang -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %adze %s -o %t && %t | FileCheck %s
#include <stdio.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double cube(double x, double y) { return x * x * x * y; }
double slope(double x, double y) {
  return __enzyme_autodiff((void *)cube, x, enzyme_const, y);
}
double through(double x, double y) { return slope(x, y) * 2; }

int main(int argc, char **argv) {
  double x = argc + 1;
  printf("%g\n", __enzyme_fwddiff((void *)through, x, 1.0, enzyme_const, 5.0));
  // CHECK: 120
  // What was const for the inner marker is active for the outer one.
  printf("%g\n", __enzyme_fwddiff((void *)through, enzyme_const, x, 5.0, 1.0));
  // CHECK-NEXT: 24
  return 0;
}
