// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags that the optimizer could fold to 0, because nobody else can write them.
//
// RUN: %clang -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -flto=thin %adze -fuse-ld=lld %s -o %t && %t | FileCheck %s
// REQUIRES: lld
//
// CHECK: 15 10
#include <stdio.h>

static int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double weighted(const double *x, double w) { return w * x[0] * x[1]; }

int main(int argc, char **argv) {
  double x[2] = {1.0 + argc, 3}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, 5.0);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
