// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done alike for several directions becomes vectors of them.
//
// RUN: %clang -O1 -fno-unroll-loops -fno-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=cleanup %t.ll | FileCheck %s
void __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);
int enzyme_const, enzyme_dup, enzyme_dupv, enzyme_width;

// A chain, which no vectors of iterations can hold.
// CHECK-LABEL: define {{.*}}@adze.fwd.chain(
// CHECK: phi <2 x double>
// CHECK: phi <2 x double>
// CHECK: fmul contract <2 x double>
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@adze.grad.chain(
// CHECK: phi <2 x double>
// CHECK: fmul contract <2 x double>
// CHECK: {{^}}}
void chain(const double *restrict x, double *restrict y, int n) {
  double v = x[0], w = x[1];
  for (int i = 0; i < n; ++i) {
    double next = v * w - 0.5 * v;
    w = w + v * (w * 0.25 - 1);
    v = next;
  }
  y[0] = v * w;
}
// Iterations.
// CHECK-LABEL: define {{.*}}@adze.fwd.apart(
// CHECK-NOT: <2 x double>
// CHECK: {{^}}}
void apart(const double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * (x[i] * 3 + x[i] * x[i] * 0.5);
}
// Hardly anything is done with what would be put together.
// CHECK-LABEL: define {{.*}}@adze.fwd.moved(
// CHECK-NOT: <2 x double>
// CHECK: {{^}}}
__attribute__((noinline)) void moved(const double *restrict x, double *restrict y, int n) {
  y[0] = x[0] * 2;
  y[1] = x[1] * 3;
}

#define FOUR(MARKER, F)                                                        \
  MARKER((void *)F, enzyme_width, 4, enzyme_dupv, 64L, x, dx, enzyme_dupv,     \
         8L * n, y, dy, enzyme_const, n)
void all(double *x, double *dx, double *y, double *dy, int n) {
  FOUR(__enzyme_fwddiff, chain);
  FOUR(__enzyme_autodiff, chain);
  FOUR(__enzyme_fwddiff, apart);
  FOUR(__enzyme_fwddiff, moved);
}
