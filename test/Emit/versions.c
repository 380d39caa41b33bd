// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a derivative with two versions, the one for arrays that meet is a function
// of its own, which is left as it stands: it seldom runs.
//
// RUN: %clang -O2 -mavx2 -fno-discard-value-names %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -g %adze -c %s -o %t.o
// RUN: %clang -O0 -g %adze -c %s -o %t.o
//
// What is derived once more keeps its versions together: the outer derivative
// has those of the inner one.
// RUN: %clang -O2 -DNESTED %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=NESTED --implicit-check-not="objective.any(" %s
// NESTED: define {{.*}} @adze.fwd.adze.grad.objective(
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double scale(const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i];
  return s;
}

// The variable is one of both versions, and nobody else learns its address.
// CHECK-LABEL: define internal {{.*}}@adze.grad.objective(
// CHECK: br i1 {{.*}}, label %{{[^ ]*}}, label %adze.any
// CHECK: x double>
// CHECK: adze.any:
// CHECK: call {{.*}}@adze.grad.objective.any(
// CHECK-NOT: {{^}}{{[a-z.]*}}.any:
// CHECK-LABEL: define
static double objective(const double *x, double *y, int n) {
  double w[4] = {x[0], y[0], x[0] * y[0], 1};
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i] * w[i & 3];
    w[i & 3] = y[i];
  }
  return scale(w, 4);
}

#ifdef NESTED
static void gradient(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)objective, x, dx, y, dy, n);
}
void of_gradient(double *x[4], double *dx[4], int n) {
  __enzyme_fwddiff((void *)gradient, x[0], dx[0], x[1], dx[1], x[2], dx[2], x[3], dx[3], n);
}
#else
void of_objective(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)objective, x, dx, y, dy, n);
}
#endif

// CHECK-LABEL: define internal {{.*}}@adze.grad.objective.any(
// CHECK-SAME: [[GENERAL:#[0-9]+]]
// CHECK-NOT: x double>
// CHECK: ret
// CHECK: attributes [[GENERAL]] = { cold {{.*}}noinline {{.*}}optnone
