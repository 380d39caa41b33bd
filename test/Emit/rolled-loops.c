// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops of derivatives LLVM is not to unroll where the run decides how
// often they run, for a processor that is said to have room for thousands of
// instructions. See RolledLoops.h.
//
// RUN: %clang -O2 -march=znver4 -fno-vectorize -fno-discard-value-names %adze -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
#define GRADIENT(F)                                                                              \
  void of_##F(int n, const double *x, double *dx, double *y, double *dy) {                       \
    __enzyme_autodiff((void *)F, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);         \
  }

// Independent iterations with much in them: vector code, if that were allowed.
// CHECK-LABEL: define {{.*}} @adze.grad.wide(
// CHECK-NOT: .epil
// CHECK: ret void
static void wide(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * (x[i] + 2) * (x[i] - 3);
}
GRADIENT(wide)

// A sum that is read while it grows: what is computed beside it can be side by side.
// CHECK-LABEL: define {{.*}} @adze.grad.chain(
// CHECK: .epil
// CHECK: ret void
static double chain(int n, const double *restrict x, double *restrict y) {
  double s = 0, t = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i];
    t += s * s * x[i];
  }
  return t;
}
GRADIENT(chain)
