// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which neighbouring loops of a derivative become one. See FuseLoops.h.
//
// RUN: %clang -O2 -mavx2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -mavx2 %adze -c %s -o %t.o -Rpass=adze 2>&1 | FileCheck %s --check-prefix=REMARK
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
#define GRADIENT(F)                                                                              \
  void of_##F(long n, double *p, double *dp, double *y, double *dy, double *k, double *dk) {     \
    __enzyme_autodiff((void *)F, enzyme_const, n, enzyme_dup, p, dp, enzyme_dup, y, dy,          \
                      enzyme_dup, k, dk);                                                        \
  }

// One behind the other: what the second one reads of k the first one, one
// iteration ahead, hands on; and the adjoint of k that the reverse of the second
// one computes is not stored.
// REMARK: remark: adze.grad.chain: {{[0-9]+}} times, neighbouring loops have become one
// CHECK-LABEL: define {{.*}} @adze.grad.chain(
// CHECK: {{^}}fused{{[0-9]*}}:
// CHECK: %carried{{.*}} = phi double
// CHECK: {{^}}fused{{[0-9]*}}:
static double chain(long n, const double *restrict p, double *restrict y, double *restrict k) {
  for (int step = 0; step < 20; ++step) {
    k[0] = 0;
    for (long i = 1; i < n; ++i)
      k[i] = p[i] * y[i - 1];
    for (long i = 0; i < n; ++i)
      y[i] += 0.1 * k[i];
  }
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += y[i];
  return s;
}
GRADIENT(chain)

// Two that share nothing stored.
// REMARK-NOT: adze.grad.apart
// CHECK-LABEL: define {{.*}} @adze.grad.apart(
// CHECK-NOT: {{^}}fused
// CHECK: ret void
static double apart(long n, const double *restrict p, double *restrict y, double *restrict k) {
  for (long i = 0; i < n; ++i)
    k[i] *= k[i];
  for (long i = 0; i < n; ++i)
    y[i] *= y[i];
  return 0;
}
GRADIENT(apart)

// The second one begins with what the first one stores last.
// REMARK-NOT: adze.grad.turned
// CHECK-LABEL: define {{.*}} @adze.grad.turned(
// CHECK-NOT: {{^}}fused
// CHECK: ret void
static double turned(long n, const double *restrict p, double *restrict y, double *restrict k) {
  for (int step = 0; step < 20; ++step) {
    for (long i = 0; i < n; ++i)
      k[i] = p[i] * y[i];
    for (long i = 0; i < n; ++i)
      y[i] += k[n - 1 - i];
  }
  return 0;
}
GRADIENT(turned)

// A call keeps a loop from being vector code, and would the other one.
double unknown(double) __attribute__((const));
// REMARK-NOT: adze.grad.called
// CHECK-LABEL: define {{.*}} @adze.grad.sized(
// CHECK-NOT: {{^}}fused
// CHECK: ret void
// Loops of different counts.
static double sized(long n, const double *restrict p, double *restrict y, double *restrict k) {
  for (int step = 0; step < 20; ++step) {
    for (long i = 0; i < n; ++i)
      k[i] = p[i] * y[i];
    for (long i = 0; i < n / 2; ++i)
      y[i] += k[i];
  }
  return 0;
}
GRADIENT(sized)

// A volatile access between them stays there; there is none going back.
// REMARK: remark: adze.grad.watched: {{[0-9]+}} times, neighbouring loops have become one
// CHECK-LABEL: define {{.*}} @adze.grad.watched(
// CHECK-NOT: {{^}}fused
// CHECK-COUNT-3: store volatile
// CHECK-NOT: {{^}}fused
// CHECK: {{^}}rev.for.
// CHECK: {{^}}fused
// CHECK: ret void
volatile int Watched;
static double watched(long n, const double *restrict p, double *restrict y, double *restrict k) {
  for (int step = 0; step < 20; ++step) {
    for (long i = 0; i < n; ++i)
      k[i] = p[i] * y[i];
    Watched = step;
    for (long i = 0; i < n; ++i)
      y[i] += k[i];
    Watched = step;
  }
  return 0;
}
GRADIENT(watched)
