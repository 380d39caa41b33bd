// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are in memory anyway, and memory that cannot be trusted.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
double exp(double), sin(double);

// An output that stays is read instead of kept.
void output(const double *R x, double *R y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = exp(x[i]);
}
// CHECK-LABEL: plan of rev.output.
// CHECK: %call = call {{ *}}read from %arrayidx1
// CHECK: bytes: 9{{$}}
PLAN(output, P(0), P(1), N(0))

// It need not be computed: it is not read, either.
void notNeeded(const double *R x, double *R y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = exp(x[i]);
}
// CHECK-LABEL: plan of rev.notNeeded.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(notNeeded, P(0), NONEED(1), N(0))

// It is overwritten: kept by the loop that computes it, and by the one that
// reads it.
void overwritten(const double *R x, double *R y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = exp(x[i]);
  for (long i = 0; i < n; ++i)
    y[i] *= y[i];
}
// CHECK-LABEL: plan of rev.overwritten.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: double [%for.body6] on entry
// CHECK: bytes: 34 + 8 [%for.body] + 8 [%for.body6]{{$}}
PLAN(overwritten, P(0), P(1), N(0))

// By itself: all iterations store to one place.
double onePlace(const double *R x, double *R y, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double e = exp(x[i]);
    y[i / 2] = e;
    s += e * e;
  }
  return s;
}
// CHECK-LABEL: plan of rev.onePlace.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %div8 = lshr {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(onePlace, P(0), P(1), N(0))

// All steps of a recurrence are in the output, but what the reverse pass needs
// is the step before, and the factor.
void steps(const double *R x, double *R y, long n) {
  double s = 0.5;
  for (long i = 0; i < n; ++i) {
    s = sin(s) * x[i];
    y[i] = s;
  }
}
// CHECK-LABEL: plan of rev.steps.
// CHECK: %s.07 = phi {{ *}}keep in slot
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: double [%for.body] on entry
// CHECK: bytes: 25 + 16 [%for.body]{{$}}
PLAN(steps, P(0), P(1), N(0))

// Rows of a matrix that do not touch.
void matrix(const double *R x, double *R y, long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      y[i * m + j] = exp(x[i] * x[j]);
}
// CHECK-LABEL: plan of rev.matrix.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %mul6 = mul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %call = call {{ *}}read from %arrayidx7
// CHECK: bytes: 18{{$}}
PLAN(matrix, P(0), P(1), N(0), N(1))

// Without restrict, x may be y: where they are apart, x is read again.
void maybeSame(const double *x, double *y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
// CHECK-LABEL: plan of rev.maybeSame.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: double [%for.body.any] on entry
// CHECK: bytes: 26 + 8 [%for.body.any]{{$}}
PLAN(maybeSame, P(0), P(1), N(0))

// A buffer of the function that no later round overwrites.
double buffer(const double *R x, double *R c, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    c[i] = exp(x[i]);
  for (long i = 0; i < n; ++i)
    s += c[i] * c[i];
  return s;
}
// CHECK-LABEL: plan of rev.buffer.
// CHECK: %call = call {{ *}}read from %arrayidx1
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 18{{$}}
PLAN(buffer, P(0), P(1), N(0))

// Volatile memory is read as often as the source says.
double isVolatile(volatile double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[i];
    s += v * v;
  }
  return s;
}
// CHECK-LABEL: plan of rev.isVolatile.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(isVolatile, P(0), N(0))

// A stencil in memory that stays: the optimizer carries two of the three.
void smooth(const double *R x, double *R y, long n) {
  for (long i = 1; i + 1 < n; ++i)
    y[i] = x[i - 1] * x[i] * x[i + 1];
}
// CHECK-LABEL: plan of rev.smooth.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %mul = fmul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(smooth, P(0), P(1), N(0))

// Carried by hand, and overwritten: kept.
double carriedAndGone(double *R x, long n) {
  double now = x[0], s = 0;
  for (long i = 0; i < n; ++i) {
    s += now * now;
    x[i] = 0;
    now = x[i + 1];
  }
  return s;
}
// CHECK-LABEL: plan of rev.carriedAndGone.
// CHECK: %now.0 = load {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(carriedAndGone, P(0), N(0))
