// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop with adze_checkpoint names has shadows in between: a state that
// comes back would take what has been added to them.
//
// RUN: %clang -I%srcroot/include -O0 %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -I%srcroot/include -O2 %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// CHECK: adze: a loop with adze_checkpoint saves memory in which the shadow lies; give the shadow memory of its own, or name no bytes
#include "adze/adze.h"
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static void run(double *u, int steps, int n) {
  for (int t = 0; t < steps; ++t) {
    adze_checkpoint(3, u, 2 * n * sizeof *u);
    for (int i = 0; i < n; ++i)
      u[2 * i] *= u[2 * i];
  }
}

int main(void) {
  double u[20] = {0};
  __enzyme_autodiff((void *)run, enzyme_dup, u, u + 1, enzyme_const, 20, enzyme_const, 10);
  return 0;
}
