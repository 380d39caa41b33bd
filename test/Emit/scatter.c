// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse of a loop that gathers is distributed over one loop for each
// distance. See DistributeSums.h.
//
// RUN: %clang -O2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops %adze -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
#define GRADIENT(F)                                                                              \
  void of_##F(int n, double *x, double *dx, double *y, double *dy) {                             \
    __enzyme_autodiff((void *)F, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);         \
  }

// Two loops besides the one for short arrays; no other test is needed. The
// last one takes the adjoints away.
// CHECK-LABEL: define {{.*}} @adze.grad.apart(
// CHECK: icmp ugt i64 {{.*}}, 14
// CHECK-NOT: icmp uge ptr
// CHECK: .sums:
// CHECK-NOT: store double 0.0
// CHECK: ret void
static void apart(int n, const double *restrict x, double *restrict y) {
  for (int i = 1; i < n; ++i)
    y[i] = 0.5 * x[i - 1] * x[0] + 3.0 * x[i];
}
GRADIENT(apart)

// What may overlap is compared.
// CHECK-LABEL: define {{.*}} @adze.grad.overlap(
// CHECK: icmp uge ptr
// CHECK: .sums:
// CHECK: ret void
static void overlap(int n, const double *x, double *y) {
  for (int i = 1; i < n; ++i)
    y[i] = 0.5 * x[i - 1] + 3.0 * x[i];
}
GRADIENT(overlap)

// The loop reads what it adds to.
// CHECK-LABEL: define {{.*}} @adze.grad.in_place(
// CHECK-NOT: .sums:
// CHECK: ret void
static void in_place(int n, double *restrict x, double *restrict y) {
  for (int i = 2; i < n; ++i)
    x[i] = 0.5 * x[i - 1] + 3.0 * x[i - 2];
}
GRADIENT(in_place)

// Two vectors that lie side by side in one block.
// CHECK-LABEL: define {{.*}} @adze.grad.side_by_side(
// CHECK: .sums:
static void side_by_side(int n, double *restrict x, double *restrict y) {
  for (int i = 1; i < n; ++i)
    x[n + i] = 0.5 * x[i - 1] + 3.0 * x[i];
}
GRADIENT(side_by_side)

// Every second element: nobody comes to another's place.
// CHECK-LABEL: define {{.*}} @adze.grad.interleaved(
// CHECK-NOT: .sums:
// CHECK: ret void
static void interleaved(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = 0.5 * x[2 * i] + 3.0 * x[2 * i + 1];
}
GRADIENT(interleaved)
