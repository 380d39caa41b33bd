// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which innermost loops of the reverse pass count up: those whose iterations
// are independent. See LoopOrder.h.
//
// RUN: %clang -O2 -mavx2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops %adze -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
#define GRADIENT(F)                                                                              \
  void of_##F(int n, const int *at, double *x, double *dx, double *y, double *dy) {              \
    __enzyme_autodiff((void *)F, enzyme_const, n, enzyme_const, at, enzyme_dup, x, dx,           \
                      enzyme_dup, y, dy);                                                        \
  }

// A sum, and a place of its own for each iteration.
// CHECK-LABEL: define {{.*}} @adze.grad.dot(
// CHECK: phi i64 {{.*}}[ 0, %rev.
static double dot(int n, const int *at, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[0];
  return s;
}
GRADIENT(dot)

// Two shadows, which may overlap.
// CHECK-LABEL: define {{.*}} @adze.grad.overlap(
// CHECK-NOT: phi i64 {{.*}}[ 0, %rev.
static double overlap(int n, const int *at, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
GRADIENT(overlap)

// Iterations that add to one place.
// CHECK-LABEL: define {{.*}} @adze.grad.gather(
// CHECK-NOT: phi i64 {{.*}}[ 0, %rev.
static double gather(int n, const int *at, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[at[i]] * x[at[i]];
  return s;
}
GRADIENT(gather)

// An adjoint that is handed on, and no sum.
// CHECK-LABEL: define {{.*}} @adze.grad.chain(
// CHECK-NOT: phi i64 {{.*}}[ 0, %rev.
static double chain(int n, const int *at, const double *x, const double *y) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = 2.5 * s + x[i];
  return s;
}
GRADIENT(chain)

// An inner loop of guarded products (with a slope) is vectorized one vector at a time, an
// outermost one as LLVM likes. See ShortLoops.h. It counts up, too.
// CHECK-LABEL: define {{.*}} @adze.grad.rows(
// CHECK: phi i64 {{.*}}[ 0, %rev.
// CHECK: br i1 {{.*}}, label %rev.{{.*}}, !llvm.loop ![[#SHORT:]]
static double rows(int n, const int *at, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      s += x[i * n + j] / y[0] / y[1];
  return s * s;
}
GRADIENT(rows)

// CHECK-NOT: interleave.count
// CHECK: ![[#SHORT]] = distinct !{![[#SHORT]], {{.*}}![[#COUNT:]]}
// CHECK: ![[#COUNT]] = !{!"llvm.loop.interleave.count", i32 1}
// CHECK-NOT: interleave.count
