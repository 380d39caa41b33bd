// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over blocks, of which the last one may be shorter: what one block
// leaves is not written by the next ones.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"

// The rows behind a block are updated by those in it.
double solved(double *R x, const double *R l, long n) {
  for (long b = 0; b < n; b += 24) {
    long e = b + 24 < n ? b + 24 : n;
    for (long i = b; i < e; ++i)
      for (long k = b; k < i; ++k)
        x[i] -= l[i * n + k] * x[k];
    for (long i = e; i < n; ++i)
      for (long k = b; k < e; ++k)
        x[i] -= l[i * n + k] * x[k];
  }
  return x[n - 1];
}
// CHECK-LABEL: plan of rev.solved.
// CHECK: bytes: {{[0-9]+$}}
PLAN(solved, P(0), P(1), N(0))

// Each block reads one number of the next one, which that overwrites.
double neighbours(double *R a, long n) {
  for (long b = 0; b < n; b += 24) {
    long e = b + 24 < n ? b + 24 : n;
    for (long i = b; i < e; ++i)
      a[i] = a[i + 1] * a[i + 1];
  }
  return a[0];
}
// CHECK-LABEL: plan of rev.neighbours.
// CHECK: = load {{ *}}keep
PLAN(neighbours, P(0), N(0))

// The blocks overlap.
double overlapping(double *R a, long n) {
  for (long b = 0; b < n; b += 24) {
    long e = b + 25 < n ? b + 25 : n;
    for (long i = b; i < e; ++i)
      a[i] = a[i] * a[b + n];
  }
  return a[0];
}
// CHECK-LABEL: plan of rev.overlapping.
// CHECK: = load {{ *}}keep
PLAN(overlapping, P(0), N(0))
