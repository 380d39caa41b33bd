// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that only adds products with the adjoint of what is not chosen does
// not run.
//
// RUN: %clang -O1 -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=cleanup %t.ll | FileCheck %s
void __enzyme_autodiff(void *, ...);
int enzyme_const;

// CHECK-LABEL: define {{.*}}@adze.grad.least(
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}.skipped
// CHECK: {{^}}}
double least(const double *x, const double *c, int k, int d) {
  double least = 1e300;
  for (int a = 0; a < k; ++a) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += (x[j] - c[a * d + j]) * (x[j] - c[a * d + j]);
    least = s < least ? s : least;
  }
  return least;
}
// The other way round, beside what all have.
// CHECK-LABEL: define {{.*}}@adze.grad.capped(
// CHECK: br i1 %{{.*}}, label %{{.*}}.skipped, label %
// CHECK: {{^}}}
double capped(const double *x, const double *c, int k, int d) {
  double sum = 0;
  for (int a = 0; a < k; ++a) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += x[j] * x[j] * c[a * d + j];
    sum += s > 2 ? 2 : s;
  }
  return sum;
}
// Each has a part in it.
// CHECK-LABEL: define {{.*}}@adze.grad.all(
// CHECK-NOT: .skipped
// CHECK: {{^}}}
double all(const double *x, const double *c, int k, int d) {
  double sum = 0;
  for (int a = 0; a < k; ++a) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += x[j] * x[j] * c[a * d + j];
    sum += s > 2 ? 2 * s : s;
  }
  return sum;
}
// What the loop stores has an adjoint of its own.
// CHECK-LABEL: define {{.*}}@adze.grad.stored(
// CHECK-NOT: .skipped
// CHECK: {{^}}}
double stored(const double *x, double *c, int k, int d) {
  double least = 1e300;
  for (int a = 0; a < k; ++a) {
    double s = 0;
    for (int j = 0; j < d; ++j) {
      c[a * d + j] = x[j] * x[j];
      s += c[a * d + j] * x[j];
    }
    least = s < least ? s : least;
  }
  return least;
}
// A few iterations cost less than a branch.
// CHECK-LABEL: define {{.*}}@adze.grad.few(
// CHECK-NOT: .skipped
// CHECK: {{^}}}
double few(const double *x, const double *c, int k, int d) {
  double least = 1e300;
  for (int a = 0; a < k; ++a) {
    double s = 0;
    for (int j = 0; j < 3; ++j)
      s += (x[j] - c[a * 3 + j]) * (x[j] - c[a * 3 + j]);
    least = s < least ? s : least;
  }
  return least;
}
// What the step before has chosen goes on from this one.
// CHECK-LABEL: define {{.*}}@adze.grad.later(
// CHECK-NOT: .skipped
// CHECK: {{^}}}
double later(const double *x, const double *c, int k, int d) {
  double last = 0, sum = 0;
  for (int a = 0; a < k; ++a) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += x[j] * x[j] * c[a * d + j];
    sum += last > 2 ? 2 : last;
    last = s;
  }
  return sum;
}
void gradients(double *x, double *dx, double *c, double *dc, int k, int d) {
  __enzyme_autodiff((void *)least, x, dx, c, dc, k, d);
  __enzyme_autodiff((void *)capped, x, dx, c, dc, k, d);
  __enzyme_autodiff((void *)all, x, dx, c, dc, k, d);
  __enzyme_autodiff((void *)stored, x, dx, c, dc, k, d);
  __enzyme_autodiff((void *)few, x, dx, c, dc, k, d);
  __enzyme_autodiff((void *)later, x, dx, c, dc, k, d);
}
