// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is computed again, and what is too dear for that.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
double exp(double), sin(double), sqrt(double);

// Loads from memory that stays are repeated.
double square(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
// CHECK-LABEL: plan of rev.square.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(square, P(0), N(0))

// So is arithmetic; nothing is kept for a product of three.
double products(const double *R x, const double *R y, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double a = x[i] + y[i], b = x[i] - y[i], c = 2 * x[i] + 1;
    s += a * b * c;
  }
  return s;
}
// CHECK-LABEL: plan of rev.products.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %add = fadd {{ *}}recompute
// CHECK: %sub = fsub {{ *}}recompute from %{{[^,]+}}, %{{[^,]+$}}
// CHECK: %{{[0-9]+}} = call {{ *}}recompute
// CHECK: %mul = fmul {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(products, P(0), P(1), N(0))

// A library function is kept, its argument is not.
double exponential(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += exp(3 * x[i]);
  return s;
}
// CHECK-LABEL: plan of rev.exponential.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(exponential, P(0), N(0))

// A square root is computed again where its argument is at hand.
double root(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += __builtin_sqrt(1 + x[i] * x[i]);
  return s;
}
// CHECK-LABEL: plan of rev.root.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %{{[0-9]+}} = call {{ *}}recompute
// CHECK: %call = call {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(root, P(0), N(0))

// Of a chain, the place where it is narrow: one number of five.
double narrow(double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double a = x[5 * i], b = x[5 * i + 1], c = x[5 * i + 2];
    double t = a + b + c + x[5 * i + 3] + x[5 * i + 4];
    s += t * t * t;
    x[5 * i] = x[5 * i + 1] = x[5 * i + 2] = x[5 * i + 3] = x[5 * i + 4] = s;
  }
  return s;
}
// CHECK-LABEL: plan of rev.narrow.
// CHECK: %arrayidx.idx = mul {{ *}}recompute
// CHECK: %add15 = fadd {{ *}}keep in slot
// CHECK: %mul16 = fmul {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(narrow, P(0), N(0))

// What a loop carries is kept, what is made from it is not.
double carried(const double *R x, long n) {
  double t = 1;
  for (long i = 0; i < n; ++i)
    t = (t * t + 1) * x[i];
  return t;
}
// CHECK-LABEL: plan of rev.carried.
// CHECK: %t.06 = phi {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = call {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(carried, P(0), N(0))

// The factor of a linear recurrence is in memory: no tape.
double linear(const double *R x, long n) {
  double t = 1;
  for (long i = 0; i < n; ++i)
    t = t * 0.5 + x[i] * x[i];
  return t;
}
// CHECK-LABEL: plan of rev.linear.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(linear, P(0), N(0))

// An index that is a function of the counter, and one that is read.
double indices(const double *R x, const int *R at, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x[at[i]] * x[(i * 7) % n];
  return s;
}
// CHECK-LABEL: plan of rev.indices.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %idxprom = sext {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %mul = mul {{ *}}recompute
// CHECK: %rem = urem {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(indices, P(0), C(1), N(0))

// Values of straight code stay in registers.
double straight(double *R x) {
  double a = x[0], b = exp(a);
  x[0] = 0;
  return a * b;
}
// CHECK-LABEL: plan of rev.straight.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %call = call {{ *}}keep in slot
// CHECK: bytes: 16{{$}}
PLAN(straight, P(0))

// A choice between two numbers at hand is made again.
double chosen(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double m = x[i] > 1 ? x[i] : 2 - x[i];
    s += m * m;
  }
  return s;
}
// CHECK-LABEL: plan of rev.chosen.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %cmp1 = fcmp {{ *}}recompute
// CHECK: %sub = fsub {{ *}}recompute
// CHECK: %cond = select {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(chosen, P(0), N(0))
