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

// Rows go the way that their elements do; see NestOrder.h. That a row is not shorter than what is
// read of it is known from the primal's way (WayFacts.h). The adjoint of y[0] is a sum over the nest.
// CHECK-LABEL: define {{.*}} @adze.grad.scaled_rows(
// CHECK: .place = phi i64 {{.*}}[ 0, %
// CHECK: {{^(gathered|fused)[0-9]*}}:
static double scaled_rows(int n, const int *at, const double *restrict x,
                          double *restrict y) {
  const double c = y[0];
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      y[i * n + j] = x[i * n + j] * x[i * n + j - 1] * c;
  return 0;
}
GRADIENT(scaled_rows)

// Rows that are handed on, and those that are read and added to, go down.
// CHECK-LABEL: define {{.*}} @adze.grad.states(
// CHECK-NOT: .place = phi
static double states(int n, const int *at, const double *restrict x,
                     double *restrict y) {
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      y[i * n + j] = y[(i - 1) * n + j - 1] + 2.5 * y[(i - 1) * n + j];
  return 0;
}
GRADIENT(states)

// CHECK-LABEL: define {{.*}} @adze.grad.product_of_rows(
// CHECK-NOT: .place = phi
static double product_of_rows(int n, const int *at, const double *restrict x,
                              double *restrict y) {
  double p = 1;
  for (int i = 1; i < n; ++i) {
    double s = 0;
    for (int j = 1; j < n; ++j)
      s += x[i * n + j] * x[i * n + j - 1];
    p *= s;
  }
  return p;
}
GRADIENT(product_of_rows)

// CHECK-NOT: interleave.count
// CHECK: ![[#SHORT]] = distinct !{![[#SHORT]], {{.*}}![[#COUNT:]]}
// CHECK: ![[#COUNT]] = !{!"llvm.loop.interleave.count", i32 1}
// CHECK-NOT: interleave.count
