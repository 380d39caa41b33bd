// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the reverse pass finds its way back: from conditions computed again
// where that can be, else from bytes, one for each iteration.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
double sin(double), exp(double);

// The condition reads memory that stays.
double again(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    if (x[i] > 0)
      s += sin(x[i]);
    else
      s -= x[i];
  return s;
}
// CHECK-LABEL: plan of rev.again.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %cmp1 = fcmp {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(again, P(0), N(0))

// What it reads is overwritten: a byte.
double byte(double *R x, const double *R y, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    if (x[i] > y[i])
      s += sin(y[i]);
    x[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.byte.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %cmp2 = fcmp {{ *}}keep in slot
// CHECK: i8 [%for.body] on entry
// CHECK: bytes: 17 + 1 [%for.body]{{$}}
PLAN(byte, C(0), P(1), N(0))

// A condition that does not vary with the loop is kept once.
double outside(const double *R x, double *R flag, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    if (*flag > x[n])
      s += sin(x[i]);
    else
      s += s * x[i];
  *flag = 0;
  return s;
}
// CHECK-LABEL: plan of rev.outside.
// CHECK: %cmp1 = fcmp {{ *}}keep in slot
// CHECK: %s.015 = phi {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: bytes: 18 + 8 [%for.body]{{$}}
PLAN(outside, P(0), C(1), N(0))

// A byte for three ways, too.
double threeWays(int *R kind, const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    switch (kind[i]) {
    case 1:
      s += sin(x[i]);
      break;
    case 5:
      s += exp(x[i]);
      break;
    default:
      s += x[i];
    }
    kind[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.threeWays.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %call4 = call {{ *}}keep in slot
// CHECK: %adze.from = phi {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: i8 [%for.body] on entry
// CHECK: bytes: 25 + 9 [%for.body]{{$}}
PLAN(threeWays, C(0), P(1), N(0))

// A byte where the ways differ in a factor only.
double factors(double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    s += x[i] > 0 ? 2 * x[i] : 3 * x[i];
    x[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.factors.
// CHECK: %cmp1 = fcmp {{ *}}keep in slot
// CHECK: %cond.v = select {{ *}}recompute
// CHECK: i8 [%for.body] on entry
// CHECK: bytes: 17 + 1 [%for.body]{{$}}
PLAN(factors, P(0), N(0))

// How often a loop ran that the data ended: one number. What it read is read
// again, although the optimizer carries it from one iteration to the next.
double until(const double *R x, long n) {
  double s = 0;
  for (long i = 0; x[i] > 0; ++i)
    s += x[i] * x[i];
  return s;
}
// CHECK-LABEL: plan of rev.until.
// CHECK: %cmp9 = fcmp {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = phi {{ *}}recompute as %.carried{{$}}
// CHECK: %else.0 = mul {{ *}}recompute from %{{[^,]+}}{{$}}
// CHECK: %.carried = load {{ *}}recompute
// CHECK: %adze.left = phi {{ *}}keep in slot
// CHECK: bytes: 9{{$}}
PLAN(until, P(0), N(0))

// Two exits: which one it was, and when.
double twoExits(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    s += x[i] * x[i];
    if (x[i] > 10)
      return sin(s);
  }
  return s;
}
// CHECK-LABEL: plan of rev.twoExits.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %adze.left2 = phi {{ *}}keep in slot
// CHECK: %adze.left = phi {{ *}}keep in slot
// CHECK: %.lcssa = phi {{ *}}keep in slot
// CHECK: %adze.from = phi {{ *}}keep in slot
// CHECK: bytes: 25{{$}}
PLAN(twoExits, P(0), N(0))

// A number carried by a loop of unknown count: an array that grows.
double growing(const double *R x, long n) {
  double t = *x;
  while (t > 0.1)
    t = t * t * 0.5;
  return t;
}
// CHECK-LABEL: plan of rev.growing.
// CHECK: %cmp5 = fcmp {{ *}}keep in slot
// CHECK: %t.06 = phi {{ *}}keep in slot
// CHECK: %adze.left = phi {{ *}}keep in slot
// CHECK: double [%while.body] growing
// CHECK: bytes: 17 + 8 [%while.body]{{$}}
PLAN(growing, P(0), N(0))

// What one path keeps takes memory where that path is taken, once for all the
// loops around; what all keep, in each iteration.
double path(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double t = x[i];
    while (t > 0.01) {
      if (s > 3) {
        double a = exp(t), b = sin(a * s);
        s = a * b;
        t *= b;
      }
      t *= 0.5;
      s += t * t;
    }
  }
  return s;
}
// CHECK-LABEL: plan of rev.path.
// CHECK: double [%if.then] by visit, at slot [[#BASE:]] for
// CHECK: [[#BASE]]: ptr for
// CHECK-NEXT: [[#BASE + 1]]: i64 for
// CHECK: double [%if.then] by visit, at slot [[#BASE]] for
// CHECK: bytes: {{[0-9]+ .*}}[%if.then]
PLAN(path, P(0), N(0))

// Little is kept with the rest: to count visits costs more.
double littlePath(const double *R x) {
  double s = 0, t = x[0];
  while (t > 0.01) {
    if (s > 3)
      t *= sin(t);
    t *= 0.5;
    s += t * t;
  }
  return s;
}
// CHECK-LABEL: plan of rev.littlePath.
// CHECK-NOT: by visit
// CHECK: bytes:
PLAN(littlePath, P(0))

// A loop in a loop is entered often: its elements follow each other, too.
double inner(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double t = x[i];
    while (t > 0.01) {
      t *= 0.5 + 0.1 * t;
      s += t * t;
    }
  }
  return s;
}
// CHECK-LABEL: plan of rev.inner.
// CHECK: double [%while.body{{[.a-z]*}}] by visit, at slot [[#BASE:]] for
// CHECK: [[#BASE]]: ptr for
// CHECK-NEXT: [[#BASE + 1]]: i64 for
PLAN(inner, P(0), N(0))
