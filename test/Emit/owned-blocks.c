// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of a block that never leaves its function has its memory from the tape's allocator, which keeps it from one
// gradient to the next.
//
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// CHECK-LABEL: define {{.*}} @adze.grad.owned(
// CHECK-NOT: calloc
// CHECK: call {{.*}} @malloc(
// CHECK: call {{.*}} @adze.tape.alloc(
// CHECK: call void @adze.tape.free(
// CHECK: call void @free(
static double owned(int n, const double *x) {
  double *y = malloc(n * sizeof *y), s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[n - 1 - i];
  free(y);
  return s;
}
void of_owned(int n, double *x, double *dx) {
  __enzyme_autodiff((void *)owned, enzyme_const, n, enzyme_dup, x, dx);
}

// Others see this one: it is made by the function that made the block.
// CHECK-LABEL: define {{.*}} @adze.grad.shared(
// CHECK-NOT: adze.tape.alloc
// CHECK: ret void
double *held;
static double shared(int n, const double *x) {
  double s = 0;
  held = malloc(n * sizeof *held);
  for (int i = 0; i < n; ++i)
    held[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += held[i];
  return s;
}
void of_shared(int n, double *x, double *dx) {
  __enzyme_autodiff((void *)shared, enzyme_const, n, enzyme_dup, x, dx);
}
