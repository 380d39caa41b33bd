// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that never leaves its function, which frees it, and its shadow, have their memory from the tape's allocator, which
// keeps it from one gradient to the next. Tools that watch blocks of the heap see the program's own.
//
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fsanitize=address %adze -S -emit-llvm %s -o - | FileCheck %s --check-prefix=WATCHED
#include <stdlib.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// CHECK-LABEL: define {{.*}} @adze.grad.owned(
// CHECK-NOT: @{{c|m}}alloc(
// CHECK: call {{.*}} @adze.tape.alloc(
// CHECK-NOT: @{{c|m}}alloc(
// CHECK: call {{.*}} @adze.tape.alloc(
// CHECK-NOT: @free(
// CHECK: call void @adze.tape.free(
// CHECK: call void @adze.tape.free(
// CHECK-NOT: @free(
// WATCHED-LABEL: define {{.*}} @adze.grad.owned(
// WATCHED: call {{.*}} @malloc(
// WATCHED: call {{.*}} @adze.tape.alloc(
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

// Nobody frees this one, the program may be told of it.
// CHECK-LABEL: define {{.*}} @adze.grad.lost(
// CHECK: call {{.*}} @malloc(
// CHECK: call {{.*}} @adze.tape.alloc(
static double lost(int n, const double *x) {
  double *y = malloc(n * sizeof *y), s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[n - 1 - i];
  return s;
}
void of_lost(int n, double *x, double *dx) {
  __enzyme_autodiff((void *)lost, enzyme_const, n, enzyme_dup, x, dx);
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
