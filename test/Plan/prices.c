// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the options of the cost model, and a profile, change.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
// RUN: %plan -adze-tape-price=0 %t | FileCheck %s --check-prefix=CHEAP
// RUN: %plan -adze-tape-price=100 %t | FileCheck %s --check-prefix=DEAR
// RUN: %plan -adze-assumed-trips=2 %t | FileCheck %s --check-prefix=FEW
#include "Inputs/plan.h"
double exp(double);

double functions(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += exp(x[i]) / (1 + x[i] * x[i]);
  return s;
}
// CHECK-LABEL: plan of rev.functions.
// CHECK: %call = call {{ *}}keep
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
// CHEAP-LABEL: plan of rev.functions.
// CHEAP: %call = call {{ *}}keep
// CHEAP: bytes: 41 + 32 [%for.body]{{$}}
// DEAR-LABEL: plan of rev.functions.
// DEAR: %call = call {{ *}}recompute
// DEAR: bytes: 9{{$}}
PLAN(functions, P(0), N(0))

// Three numbers for each i, or one for each pair.
double pairs(double *R a, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double u = a[3 * i], v = a[3 * i + 1], w = a[3 * i + 2];
    for (long j = 0; j < m; ++j) {
      double t = u + j * (v + j * w);
      s += t * t;
    }
    a[3 * i] = a[3 * i + 1] = a[3 * i + 2] = s;
  }
  return s;
}
// CHECK-LABEL: plan of rev.pairs.
// CHECK: bytes: {{[0-9]+}} + 24 [%for.body]{{$}}
// FEW-LABEL: plan of rev.pairs.
// FEW: bytes: {{[0-9]+}} + 8 [%for.body x %for.body{{[0-9]+}}]{{$}}
PLAN(pairs, P(0), N(0), N(1))

// As before, but here it is known that there are few iterations.
double likely(double *R a, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double u = a[3 * i], v = a[3 * i + 1], w = a[3 * i + 2];
    for (long j = 0; __builtin_expect_with_probability(j < m, 1, 0.5); ++j) {
      double t = u + j * (v + j * w);
      s += t * t;
    }
    a[3 * i] = a[3 * i + 1] = a[3 * i + 2] = s;
  }
  return s;
}
// CHECK-LABEL: plan of rev.likely.
// CHECK: bytes: {{[0-9]+}} + 8 [%for.body x %for.body{{[0-9]+}}]{{$}}
PLAN(likely, P(0), N(0), N(1))

// A byte of a large array costs more: the root is kept for each i, but computed again for each triple. (No nest of three
// loops stays in a cache, for all that is known.)
double one(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += __builtin_sqrt(x[i] * x[i] + (x[i] - 1) * (x[i] - 2) + 3);
  return s;
}
// CHECK-LABEL: plan of rev.one.
// CHECK: bytes: {{[0-9]+}} + 8 [%for.body]{{$}}
PLAN(one, P(0), N(0))

double three(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      for (long k = 0; k < n; ++k)
        s += __builtin_sqrt(x[i] * x[j] + (x[j] - x[k]) * (x[k] - x[i]) + 3);
  return s;
}
// CHECK-LABEL: plan of rev.three.
// CHECK: bytes: {{[0-9]+}}{{$}}
PLAN(three, P(0), N(0))

// Counts are calculated: a copy of 8 * n * n elements is dearer than two values of each of n * n.
double square(double *R a, long n) {
  double s = 0;
  for (long t = 0; t < 10; ++t) {
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < n; ++j)
        s += a[(i * 7 + j) % n] * a[(j * 5 + i) % n] * s;
    for (long k = 0; k < 8 * n * n; ++k)
      a[k] = s;
  }
  return s;
}
// CHECK-LABEL: plan of rev.square.
// CHECK-NOT: a copy of
// CHECK: bytes:
PLAN(square, P(0), N(0))
