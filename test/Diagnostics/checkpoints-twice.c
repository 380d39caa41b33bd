// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse mode on a derivative of a loop with adze_checkpoint.
//
// RUN: not %clang -I%srcroot/include -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -I%srcroot/include -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -I%srcroot/include -O1 -g -DTANGENT %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double power(double x) {
  double y = x;
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3);
    y = y * x + 1;
  }
  return y;
}
#ifdef TANGENT
double slope(double x) { return __enzyme_fwddiff((void *)power, x, 1.0); }
#else
double slope(double x) { return __enzyme_autodiff((void *)power, x); }
#endif
// CHECK: error: a loop with 'adze_checkpoint' stands in a derivative that is differentiated again in reverse mode
// CHECK: to fix: leave out adze_checkpoint, or differentiate in reverse mode first and in forward mode then
int main(void) { return __enzyme_autodiff((void *)slope, 1.0) > 0; }
