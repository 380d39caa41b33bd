// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory of the caller and global variables hold is read again by a fused derivative, and
// kept by one in split mode, between whose halves the program may write to it. Local memory is
// the function's own. What enzyme_nofree needs besides: the size of what is cleared each time.
//
// RUN: %clang -O1 -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o - | %adze-opt --stop-after=plan | FileCheck %s
#include <stdlib.h>
extern int enzyme_nofree;
void __enzyme_autodiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

double weight;
__attribute__((noinline)) void use_global(double *out) { *out *= weight; }
double global(double x) {
  use_global(&x);
  return x;
}
double argument(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
double local(double x) {
  double t[2] = {x, x * x};
  volatile int which = 0;
  return t[which] * t[1 - which];
}
double zeros(double x, long n) {
  double *t = calloc(n, sizeof *t);
  double s = t[0] * x;
  t[n - 1] = x;
  s += t[n / 2] * t[0];
  free(t);
  return s;
}

void fused(double *x, double *d) {
  __enzyme_autodiff((void *)argument, x, d, 10);
}
// CHECK-LABEL: plan of rev.argument.
// CHECK: %1 = load {{ *}}recompute
// CHECK: tape
// CHECK-NOT: double

void *split(double *x, double *d) {
  __enzyme_augmentfwd((void *)local, 1.0);
  __enzyme_augmentfwd((void *)global, 1.0);
  __enzyme_augmentfwd((void *)zeros, 1.0, 5L);
  return __enzyme_augmentfwd((void *)argument, x, d, 10);
}
// CHECK-LABEL: plan of split.local.
// CHECK: %0 = load {{ *}}recompute
// CHECK: %1 = load {{ *}}recompute
// CHECK-LABEL: plan of split.global.
// CHECK: call use_global: split
// CHECK-LABEL: plan of split.use_global.
// CHECK: %0 = load {{ *}}keep in slot
// CHECK-LABEL: plan of split.zeros.oc.apk.
// CHECK: %n {{ *}}available
// CHECK-LABEL: plan of split.argument.
// CHECK: %1 = load {{ *}}keep in slot
// CHECK: double [%for.body]
double again(void *tape) {
  return __enzyme_reverse((void *)zeros, enzyme_nofree, 1.0, 5L, tape);
}
