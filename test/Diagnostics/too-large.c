// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound on what one plan considers.
//
// RUN: not %clang -O2 -g -Xclang -load -Xclang %plugin %adze -mllvm -adze-max-plan-values=3 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -g -Xclang -load -Xclang %plugin %adze -mllvm -adze-max-plan-values=3000 -c %s -o %t.o
double __enzyme_autodiff(void *, ...);

double f(double x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s += x * s + i;
  return s;
}

// CHECK: too-large.c:[[#@LINE+3]]:10: error: 'f' is too large to differentiate: more than 3 values take part
// CHECK: to fix: raise the limit with -mllvm -adze-max-plan-values, or split the function
double slope(double x, int n) {
  return __enzyme_autodiff((void *)f, x, n);
}
