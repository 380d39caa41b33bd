// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small derivative is inlined where it is called, as the compiler would have
// done: so its caller's loop becomes vector code, and the adjoint 1 is folded.
//
// RUN: %clang -O2 -mavx2 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 -mavx2 %adze -S -emit-llvm %s -o - | FileCheck %s --check-prefix=APART
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double cube(double x) { return x * x * x; }
void cubes(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = __enzyme_autodiff((void *)cube, x[i]);
}
// CHECK-LABEL: define {{.*}}@cubes(
// CHECK-NOT: call {{.*}}@adze
// CHECK: fmul {{.*}}<4 x double>
// CHECK: {{^}}}
// APART-LABEL: define {{.*}}@cubes(
// APART: call {{.*}}@adze.grad.cube(
// APART: {{^}}}

// So is a larger one where it is called in a loop, and nowhere else.
static double larger(double x) {
  double y = x * x / (1 + x * x), z = y * y / (1 + y), w = z * x / (1 + z * z);
  return w * y / (1 + w * w) + z * w / (1 + y * w) + y / (1 + w) + z / (2 + y * z);
}
void many(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = __enzyme_autodiff((void *)larger, x[i]);
}
// CHECK-LABEL: define {{.*}}@many(
// CHECK-NOT: call {{.*}}@adze
// CHECK: fdiv {{.*}}<4 x double>
// CHECK: {{^}}}
static double another(double x) {
  double y = x / (2 + x * x), z = y * y / (1 + y), w = z * x / (1 + z * z);
  return w * y / (1 + w * w) + z * w / (1 + y * w) + y / (1 + w) + z / (2 + y * z);
}
double one(double x) { return __enzyme_autodiff((void *)another, x); }
// CHECK-LABEL: define {{.*}}@one(
// CHECK: call {{.*}}@adze.grad.another(
// CHECK: {{^}}}

// What the program says of inlining is meant of derivatives, too.
__attribute__((noinline)) static double square(double x) { return x * x; }
void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = __enzyme_autodiff((void *)square, x[i]);
}
// CHECK-LABEL: define {{.*}}@squares(
// CHECK: call {{.*}}@adze.grad.square(
// CHECK: {{^}}}

// Nothing is gained for a loop of the derivative's own,
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
void any(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum, x, dx, enzyme_const, n);
}
// CHECK-LABEL: define {{.*}}@any(
// CHECK: call {{.*}}@adze.grad.sum(
// CHECK: {{^}}}

// unless it is said how often it is run.
void three(double *x, double *dx) {
  __enzyme_autodiff((void *)sum, x, dx, enzyme_const, 3);
}
// CHECK-LABEL: define {{.*}}@three(
// CHECK-NOT: call {{.*}}@adze
// CHECK-NOT: br
// CHECK: {{^}}}

// A recursion is not inlined into itself.
static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
double gradient(double x, int n) {
  return __enzyme_autodiff((void *)power, x, enzyme_const, n);
}
// CHECK-LABEL: define {{.*}}@adze.rev.power(
// CHECK: call {{.*}}@adze.rev.power(
// CHECK: {{^}}}
