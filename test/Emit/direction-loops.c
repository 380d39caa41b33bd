// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each direction has a run of its own, which is left out if it adds zeros.
//
// RUN: %clang -O1 -fno-unroll-loops -fno-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=cleanup %t.ll | FileCheck %s
void __enzyme_fwddiff(void *, ...);
int enzyme_const, enzyme_dup, enzyme_dupv, enzyme_width;

// CHECK-LABEL: define {{.*}}@adze.fwd.weighted(
// CHECK: direction:
// CHECK: [[MOVED:%.*]] = fcmp une double %{{.*}}, 0.000000e+00
// CHECK: [[KNOWN:%.*]] = freeze i1 [[MOVED]]
// CHECK: br i1 [[KNOWN]], label %direction.enter, label %direction.next
// CHECK: direction.next:
// CHECK: icmp eq i64 %{{.*}}, 3
// CHECK: {{^}}}
void weighted(const double *restrict a, const float *restrict w,
              double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += a[0] * w[i];
}
// What is there is moved, too; and few numbers stay in registers.
// CHECK-LABEL: define {{.*}}@adze.fwd.scaled(
// CHECK-NOT: direction:
// CHECK: {{^}}}
void scaled(const double *restrict a, const float *restrict w,
            double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = y[i] * 2 + a[0] * w[i];
}
// A quotient for all is not computed for each.
// CHECK-LABEL: define {{.*}}@adze.fwd.shared(
// CHECK-NOT: direction:
// CHECK: {{^}}}
void shared(const double *restrict a, const float *restrict w,
            double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += a[0] * (1 / (double)w[i]);
}
// An iteration reads what one before has stored.
// CHECK-LABEL: define {{.*}}@adze.fwd.before(
// CHECK-NOT: direction:
// CHECK: {{^}}}
void before(const double *restrict a, const float *restrict w,
            double *restrict y, int n) {
  for (int i = 2; i < n; ++i)
    y[i] += a[0] * y[i - 2] * w[i];
}
// Arrays that may meet are compared.
// CHECK-LABEL: define {{.*}}@adze.fwd.unknown(
// CHECK: icmp uge ptr
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}.ordered
// CHECK: direction:
// CHECK: {{^}}}
void unknown(const double *a, const double *w, double *y, int n) {
  const double by = a[0];
  for (int i = 0; i < n; ++i)
    y[i] += by * w[i];
}

#define THREE(F, W)                                                            \
  __enzyme_fwddiff((void *)F, enzyme_width, 3, enzyme_dupv, 64L, a, da,        \
                   enzyme_const, W, enzyme_dupv, 8L * n, y, dy, enzyme_const, n)
void all(double *a, double *da, float *w, double *v, double *y, double *dy,
         int n) {
  THREE(weighted, w);
  THREE(scaled, w);
  THREE(shared, w);
  THREE(before, w);
  THREE(unknown, v);
}
