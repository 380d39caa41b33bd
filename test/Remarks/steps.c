// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is saved of a loop with adze_checkpoint, and by which schedule.
//
// RUN: %clang -O1 -I%srcroot/include %adze -Rpass-analysis=adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_through(void *, ...);
double relax(double *u, int n) {
  double s[4] = {1, 2, 3, 4};
  for (int t = 0; t < 100; t++) {
    // CHECK-DAG: steps.c:[[#@LINE+1]]:{{.*}} runs iterations again from saved states, by the binomial schedule; a state is 36 bytes, and what iterations write elsewhere, as they say when they run first [-Rpass-analysis=adze]
    for (int i = 0; i < n; i++)
      u[i] *= s[t % 4] *= u[0];
    adze_checkpoint(5);
  }
  return u[1];
}
double until(double x, int n) {
  double y[n];
  for (int i = 0; i < n; i++)
    y[i] = x;
  // CHECK-DAG: by the schedule for counts that are not known; a state is {{[0-9]+}} bytes, a block [-Rpass-analysis=adze]
  while (y[0] < 100) {
    adze_checkpoint(5);
    for (int i = 0; i < n; i++)
      y[i] *= 1 + x * y[0];
  }
  return y[1];
}
double gradients(double *u, double *d, int n) {
  __enzyme_autodiff_through((void *)relax, u, d, n);
  return __enzyme_autodiff((void *)until, 1.0, n);
}
