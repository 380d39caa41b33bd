// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that only moves bytes: IR does not say of which type, clang does.
// RUN: not %clang -O0 %adze %s -o %t 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: %clang -O0 %clang-adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %clang-adze -fno-strict-aliasing %s -o %t && %t | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

// WITHOUT: error: cannot deduce the type of byte 0 of the memory copied here
__attribute__((noinline)) void rotate(double *y, const double *x, int n) {
  char *all = malloc(2 * n * sizeof(double));
  memcpy(all, x, n * sizeof(double));
  memcpy(all + n * sizeof(double), x, n * sizeof(double));
  memcpy(y, all + sizeof(double), n * sizeof(double));
  free(all);
}

__attribute__((noinline)) void gradient(double *y, double *dy, double *x, double *dx) {
  __enzyme_autodiff((void *)rotate, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const, 3);
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {10, 20, 30};
  gradient(y, dy, x, dx);
  // CHECK: 2 3 1, 30 10 20
  printf("%g %g %g, %g %g %g\n", y[0], y[1], y[2], dx[0], dx[1], dx[2]);
}
