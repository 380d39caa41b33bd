// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on the path that was taken is found again from the conditions of the branches, where the paths are harmless
// and cheap: nothing is kept for each pair.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
#define fabs __builtin_fabs

double field(const double *R x, const double *R h, long poses, long n) {
  double s = 0;
  for (long p = 0; p < poses; ++p)
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < n; ++j) {
        double d = x[p] * (h[i] - h[j]), e = d - h[j], f;
        if (e < 0 && d < 0)
          f = e + d;
        else if (e * d < 0)
          f = fabs(e) + fabs(d);
        else
          f = 0;
        s += f * f;
      }
  return s;
}
// CHECK-LABEL: plan of rev.field.
// CHECK: %adze.from = phi {{ *}}recompute as %adze.from.path
// CHECK: bytes: {{[0-9]+}}{{$}}
PLAN(field, P(0), C(1), N(0), N(1))

// A load of one path may lead nowhere on the others.
double guarded(const double *R x, const long *R index, const double *R y, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double f = 1;
    if (index[i] >= 0)
      f = x[i] < 0 ? y[index[i]] : x[i] * x[i];
    s += f * f * x[i];
  }
  return s;
}
// CHECK-LABEL: plan of rev.guarded.
// CHECK-NOT: path
// CHECK: bytes:
PLAN(guarded, P(0), C(1), P(2), N(0))
