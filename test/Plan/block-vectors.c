// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors that lie side by side in one block of memory.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"

// What the code says of their ends is enough: one version, and one copy of a
// for each step, however often it is read.
double told(double *R work, const double *R w, long n, long steps) {
  double *a = work, *b = work + n;
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i) {
      double s = 0;
      for (long j = 0; j < n; ++j)
        s += w[i * n + j] * a[j];
      b[i] = s;
    }
    for (long i = 0; i < n; ++i)
      a[i] = b[i] * w[i];
  }
  return a[0];
}
// CHECK-LABEL: plan of rev.told.
// CHECK-NOT: .any
// CHECK: ptr [%[[T:.*]]] on entry, at slot {{.*}}, a copy of double [%[[J:.*]]]
// CHECK: bytes: {{[0-9]+}} + 8 [%[[T]]] + 8 [%[[T]] x %{{.*}}] + 8 [%[[T]] x
// %[[J]]]{{$}}
PLAN(told, P(0), P(1), N(0), N(1))

// To copy all that lies between the elements of a would cost too much. They are
// kept for each step, but not for each i.
double sparse(double *R work, const double *R w, long n, long steps) {
  double *a = work, *b = work + 40 * n;
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i) {
      double s = 0;
      for (long j = 0; j < n; ++j)
        s += w[i * n + j] * a[40 * j];
      b[i] = s;
    }
    for (long i = 0; i < n; ++i)
      a[40 * i] = b[i] * w[i];
  }
  return a[0];
}
// CHECK-LABEL: plan of rev.sparse.
// CHECK-NOT: .any
// CHECK-NOT: a copy
// CHECK: bytes: {{[0-9]+}} + 8 [%[[T:[^ ]*]] x %{{[^ ]*}}] + 8 [%[[T]] x
// %{{[^ ]*}}]{{$}}
PLAN(sparse, P(0), P(1), N(0), N(1))

// A sum that stands in memory is in a register where the vectors are apart, so
// there are two versions.
double sums(double *R work, const double *R w, long n) {
  double *a = work, *b = work + n;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      b[i] += w[i * n + j] * a[j];
  for (long i = 0; i < n; ++i)
    a[i] = b[i] * w[i];
  return a[0];
}
// CHECK-LABEL: plan of rev.sums.
// CHECK: .any
PLAN(sums, P(0), P(1), N(0))

// Rows and columns of one matrix: one copy of it. That m * m does not overflow
// is asked at run time.
double squares(double *R work, int n, long steps) {
  int m = n / 2;
  double *a = work, *b = work + m * m;
  for (long t = 0; t < steps; ++t) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        double s = 0;
        for (int k = 0; k < m; ++k)
          s += a[i * m + k] * a[k * m + j];
        b[i * m + j] = s;
      }
    __builtin_memcpy(a, b, m * m * sizeof *a);
  }
  return a[0];
}
// CHECK-LABEL: plan of rev.squares.
// CHECK: a copy of double
// CHECK-NOT: a copy of double
// CHECK: bytes:
PLAN(squares, P(0), N(0), N(1))

// On a condition.
double conditional(double *R work, const double *R w, long n, long steps) {
  double *a = work, *b = work + n;
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < n; ++j)
        if (i != j)
          b[i] += w[i] * a[j] * a[j];
    for (long i = 0; i < n; ++i)
      a[i] = b[i];
  }
  return a[0];
}
// CHECK-LABEL: plan of rev.conditional.
// CHECK: bytes: {{[0-9]+}} + 8 [%[[T:[^ ]*]] x %{{[^ ]*}}] + 8 [%[[T]].any x
// %{{.*}}.any x %{{.*}}.any]{{$}}
PLAN(conditional, P(0), P(1), N(0), N(1))

// Neighbours of one vector, and rows of one matrix, are not vectors of their
// own: there is nothing to test.
double relaxed(double *R u, long n, long steps) {
  for (long t = 0; t < steps; ++t)
    for (long i = 1; i < n - 1; ++i)
      for (long j = 1; j < n - 1; ++j)
        if (u[i * n + j] > 0)
          u[i * n + j] = u[(i - 1) * n + j] * u[(i + 1) * n + j] +
                         u[i * n + j - 1] * u[i * n + j + 1];
  return u[0];
}
// CHECK-LABEL: plan of rev.relaxed.
// CHECK-NOT: .any
PLAN(relaxed, P(0), N(0), N(1))

// More pairs than are compared: the vectors of the block are one array again,
// which is compared with x.
double many(const double *x, double *work, int n, long steps) {
  int m = n / 2;
  double *a = work, *b = a + m * m, *c = b + m * m, *d = c + m * m,
         *e = d + m * m, *f = e + m * m;
  for (long t = 0; t < steps; ++t)
    for (int i = 0; i < m * m; ++i) {
      b[i] = a[i] * x[i] * x[i];
      c[i] = b[i] * a[i];
      d[i] = c[i] * b[i];
      e[i] = d[i] * c[i];
      f[i] = e[i] * d[i];
      a[i] = f[i];
    }
  return a[0];
}
// CHECK-LABEL: plan of rev.many.
// CHECK: .any
PLAN(many, P(0), P(1), N(0), N(1))

// The row with the greatest element is one of the rows: all are one array, of
// which there is one version.
double pivots(double *R work, int n) {
  int m = n + 1;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (work[i * m + k] > work[best * m + k])
        best = i;
    for (int j = k; j < m; j++) {
      double t = work[k * m + j];
      work[k * m + j] = work[best * m + j];
      work[best * m + j] = t;
    }
    for (int i = k + 1; i < n; i++) {
      double factor = work[i * m + k] / work[k * m + k];
      for (int j = k + 1; j < m; j++)
        work[i * m + j] -= factor * work[k * m + j];
    }
  }
  double value = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    double sum = work[i * m + n];
    for (int j = i + 1; j < n; j++)
      sum -= work[i * m + j] * work[j * m + n];
    work[i * m + n] = sum / work[i * m + i];
    value += work[i * m + n] * work[i * m + n];
  }
  return value;
}
// CHECK-LABEL: plan of rev.pivots.
// CHECK-NOT: .any
PLAN(pivots, P(0), enzyme_const, (int)n[0])
