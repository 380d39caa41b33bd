// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum to one element in all iterations of a loop is kept in a register, past
// sums that may be to the same element. See RunningSums.h.
//
// RUN: %clang -O2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops -fno-slp-vectorize %adze -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
#define GRADIENT(F)                                                                              \
  void of_##F(int n, double *x, double *dx, double *y, double *dy) {                             \
    __enzyme_autodiff((void *)F, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);         \
  }

// dy[j] gets a sum from each i; dx[i * n + j] may be the same, but is added to
// as well; dy[i] is read, and is another, for i > j.
// (y[j] is read in front of the loop, Prepare/HoistLoads, so its adjoint is a
// value.)
// CHECK-LABEL: define {{.*}} @adze.grad.columns(
// CHECK: phi double
// CHECK: store double
// CHECK-NOT: store double
// CHECK: br {{.*}}!llvm.loop
// CHECK: {{^}}}
static void columns(int n, const double *restrict x, double *restrict y) {
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i)
      y[i] -= x[i * n + j] * y[j];
}
GRADIENT(columns)

// dx[j * n + k] gets the sum. It is in front of all that is read of column j.
// (Likewise.)
// CHECK-LABEL: define {{.*}} @adze.grad.left_of_it(
// CHECK: phi double
// CHECK: {{^}}}
static void left_of_it(int n, double *x, double *y) {
  for (int j = 1; j < n; ++j)
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i)
        x[i * n + j] -= x[i * n + k] * x[j * n + k];
}
GRADIENT(left_of_it)

// On a condition: the element is accessed behind the loop if it was there.
// CHECK-LABEL: define {{.*}} @adze.grad.some(
// CHECK: %any = fcmp une double
// CHECK: %before = load double
// CHECK-NEXT: fadd reassoc
// CHECK: {{^}}}
static void some(int n, double *restrict x, double *restrict y) {
  double *z = malloc((size_t)n * sizeof *z);
  for (int i = 0; i < n; ++i)
    z[i] = 0.0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (x[n + i] > x[i])
        z[i] += x[j] * x[i];
  for (int i = 0; i < n; ++i)
    y[i] = z[i];
  free(z);
}
GRADIENT(some)

// The loop reads dy[i], which may be dx[j].
// CHECK-LABEL: define {{.*}} @adze.grad.reads_it(
// CHECK-NOT: %before = load double
// CHECK: {{^}}}
static void reads_it(int n, const double *restrict x, double *restrict y) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      y[i] += x[n + i] * x[j];
}
GRADIENT(reads_it)

// Rows overlap: dx[k * m + i] is dx[j] for some i.
// CHECK-LABEL: define {{.*}} @adze.grad.meets_it(
// CHECK-NOT: %before = load double
// CHECK: {{^}}}
static void meets_it(int n, double *x, double *y) {
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < n; ++i)
      x[i] -= y[i] * x[j];
}
GRADIENT(meets_it)
