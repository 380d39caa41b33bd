// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices by comparison of computed numbers are not to become jumps, neither in
// what a gradient repeats of its primal nor in what it adds.
//
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 %adze -S %s -o - | FileCheck --check-prefix=CODE %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// The program's own functions stay as they are.
// CHECK-LABEL: define {{.*}} @own(
// CHECK: select i1
// CHECK-NOT: unpredictable
// CHECK: {{^}}}
int own(int n, const double *x, double y) {
  int best = 0;
  double least = y;
  for (int i = 0; i < n; i++)
    if (x[i] * y < least) {
      least = x[i] * y;
      best = i;
    }
  return best;
}

// CHECK-LABEL: define {{.*}} @adze.grad.nearest(
// CHECK: fcmp olt double
// CHECK: select i1 {{.*}}, i{{32|64}} {{.*}}, !unpredictable
// CHECK: {{^}}}
//
// CODE-LABEL: {{^}}adze.grad.nearest:
// CODE: mulsd
// CODE-NOT: {{ja|jbe}}
// CODE: cmova
// CODE: minsd
static double nearest(int n, const double *x) {
  double sum[16] = {0}, value = 0;
  for (int i = 0; i < n; i++) {
    int best = 0;
    double least = 1e300;
    for (int c = 0; c < 16; c++) {
      double t = x[i] - x[n + c];
      if (t * t < least) {
        least = t * t;
        best = c;
      }
    }
    sum[best] += x[i];
  }
  for (int c = 0; c < 16; c++)
    value += sum[c] * sum[c];
  return value;
}
void gradient(int n, const double *x, double *dx) {
  __enzyme_autodiff((void *)nearest, enzyme_const, n, enzyme_dup, x, dx);
}

// A test of a sign, and the guard of a product, are left to the compiler.
// CHECK-LABEL: define {{.*}} @adze.grad.positive(
// CHECK-NOT: unpredictable
// CHECK: {{^}}}
static double positive(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += 1.0 / (x[i] > 0.0 ? x[i] : 1.0);
  return s;
}
void gradient_of_positive(int n, const double *x, double *dx) {
  __enzyme_autodiff((void *)positive, enzyme_const, n, enzyme_dup, x, dx);
}
