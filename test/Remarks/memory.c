// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read from memory in which the primal stored it, and what is kept once
// for a loop that it does not vary with.
//
// RUN: %clang -O2 -g -fno-math-errno %adze -c %s -o %t.o -Rpass=adze -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
double exp(double);

double stored(const double *x, double *restrict y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = exp(x[i]); // line 12
    s += y[i] * y[i];
  }
  return s;
}
// CHECK: memory.c:12:12: remark: the reverse pass of the gradient of 'stored' computes again instead of keeping: the result of 'exp' (read from where it is stored) [-Rpass=adze]
// CHECK: the gradient of 'stored' needs no tape

double rows(double *x, const double *restrict w, int n, int m) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) // line 23
      s *= x[i] * exp(w[j]);    // line 24
  return s;
}
// CHECK: memory.c:24:19: remark: the gradient of 'rows' keeps the result of 'exp': 8 bytes per iteration of the loop at line 23, 8 * m in all;

void go(double *x, double *dx, double *y, double *dy, int n, int m) {
  __enzyme_autodiff((void *)stored, x, dx, y, dy, n);
  __enzyme_autodiff((void *)rows, x, dx, y, dy, n, m);
}
