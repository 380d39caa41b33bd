// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read twice in an iteration, by addresses in two forms, gets one sum
// (SameAddresses.h). There are two loads, for the call may change errno.
//
// RUN: %clang -O2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops -fno-slp-vectorize %adze -S -emit-llvm %s -o - | FileCheck %s
#include <math.h>
#include <stddef.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// The tape, then the shadow.
// CHECK-LABEL: define {{.*}} @adze.grad.rows(
// CHECK: store double
// CHECK: store double %{{.*}}, ptr
// CHECK-NOT: store double
// CHECK: {{^}}}
static double rows(size_t n, size_t d, const double *m, const double *w) {
  double s = 0;
  for (size_t k = 0; k < n; ++k) {
    const double *row = w + k * d;
    for (size_t j = 0; j < d; ++j) {
      size_t at = k * d + j;
      double t = m[at] * exp(-row[j]);
      s += t * t + w[at];
    }
  }
  return s;
}
void of_rows(size_t n, size_t d, double *m, double *w, double *dw) {
  __enzyme_autodiff((void *)rows, enzyme_const, n, enzyme_const, d, enzyme_const, m, enzyme_dup, w,
                    dw);
}
