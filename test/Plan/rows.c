// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For which loops a value is kept, and where the array lies.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
double exp(double);

// One for each iteration.
double each(double *R a, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    s += a[i] * a[i];
    a[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.each.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(each, P(0), N(0))

// A row that is read in all iterations of an outer loop: once, in a copy.
double row(double *R a, const double *R w, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      s += a[j] * a[j] * w[i];
  for (long j = 0; j < m; ++j)
    a[j] = 0;
  return s;
}
// CHECK-LABEL: plan of rev.row.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %.same = load {{ *}}recompute {{.*}} in a copy
// CHECK: %mul = fmul {{ *}}recompute
// CHECK: a copy of double [%for.body4]
// CHECK: bytes: 35 + 8 [%for.body4]{{$}}
PLAN(row, P(0), P(1), N(0), N(1))

// The row changes with the outermost loop only: one for each of its rounds.
double rowOfRound(double *R a, const double *R w, long n, long m, long r) {
  double s = 0;
  for (long t = 0; t < r; ++t) {
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < m; ++j)
        s += a[j] * a[j] * w[i];
    for (long j = 0; j < m; ++j)
      a[j] = w[t];
  }
  return s;
}
// CHECK-LABEL: plan of rev.rowOfRound.
// CHECK: %adze.last1 = select {{ *}}keep in slot
// CHECK: %adze.last2 = select {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %.same = load {{ *}}recompute {{.*}} in a copy
// CHECK: %mul = fmul {{ *}}recompute
// CHECK: ptr [%for.cond1.preheader] on entry, {{.*}} a copy of double [%for.body8]
// CHECK: bytes: 44 + 8 [%for.cond1.preheader] + 8 [%for.cond1.preheader x %for.body8]{{$}}
PLAN(rowOfRound, P(0), P(1), N(0), N(1), N(2))

// Two values that vary with one loop each: n and m of them, not n times m.
double outer(double *R a, double *R b, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      s += a[i] * exp(b[j]);
  for (long i = 0; i < n; ++i)
    a[i] = 0;
  for (long j = 0; j < m; ++j)
    b[j] = 0;
  return s;
}
// CHECK-LABEL: plan of rev.outer.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %call = call {{ *}}keep in slot
// CHECK: double [%for.cond1.preheader] on entry
// CHECK: double [%for.body4] on entry
// CHECK: bytes: 52 + 8 [%for.body4] + 8 [%for.cond1.preheader]{{$}}
PLAN(outer, P(0), P(1), N(0), N(1))

// It varies with none, and is computed in some iterations: one number.
double invariant(const double *R x, double *R a, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    if (x[i] > 0)
      s += exp(*a) * x[i];
  *a = 0;
  return s;
}
// CHECK-LABEL: plan of rev.invariant.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %cmp1 = fcmp {{ *}}recompute
// CHECK: %call = call {{ *}}keep in slot
// CHECK: bytes: 17{{$}}
PLAN(invariant, P(0), P(1), N(0))

// It varies with all, since the row changes in each round.
double changing(double *R a, const double *R w, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      s += a[j] * a[j];
      a[j] = w[i];
    }
  return s;
}
// CHECK-LABEL: plan of rev.changing.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.cond1.preheader x %for.body4] on entry
// CHECK: bytes: 26 + 8 [%for.cond1.preheader x %for.body4]{{$}}
PLAN(changing, P(0), P(1), N(0), N(1))

// A rectangle is one array.
double rectangle(double *R a, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      s += a[i * m + j] * a[i * m + j];
      a[i * m + j] = 0;
    }
  return s;
}
// CHECK-LABEL: plan of rev.rectangle.
// CHECK: %mul = mul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.cond1.preheader x %for.body4] on entry
// CHECK: bytes: 26 + 8 [%for.cond1.preheader x %for.body4]{{$}}
PLAN(rectangle, P(0), N(0), N(1))

// Rows of a triangle have arrays of their own.
double triangle(double *R a, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j) {
      s += a[i * n + j] * a[i * n + j];
      a[i * n + j] = 0;
    }
  return s;
}
// CHECK-LABEL: plan of rev.triangle.
// CHECK: %mul = mul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.body4] on entry
// CHECK: ptr [%for.cond1.preheader] on entry
// CHECK: bytes: 17 + 8 [%for.cond1.preheader]
// CHECK-SAME: + 8 [%for.cond1.preheader x %for.body4]{{$}}
PLAN(triangle, P(0), N(0))

// Few iterations, known when compiling: in the tape itself.
double few(double *R a) {
  double s = 0;
  for (long i = 0; i < 100; ++i) {
    s += a[i] * a[i];
    a[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.few.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: double [%for.body 100] static
// CHECK: bytes: 800{{$}}
PLAN(few, P(0))

// A loop of known count in one that the data end.
double inWhile(const double *R x, double *R a, long m) {
  double s = 1;
  while (s < 100)
    for (long j = 0; j < m; ++j) {
      s += a[j] * a[j] * x[j];
      a[j] = s;
    }
  return s;
}
// CHECK-LABEL: plan of rev.inWhile.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %mul = fmul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %adze.left = phi {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: ptr [%for.cond.preheader] growing
// CHECK: bytes: 25 + 8 [%for.cond.preheader]
// CHECK-SAME: + 8 [%for.cond.preheader x %for.body]{{$}}
PLAN(inWhile, P(0), P(1), N(0))

// Floats take four bytes.
float floats(float *R a, long n) {
  float s = 0;
  for (long i = 0; i < n; ++i) {
    s += a[i] * a[i];
    a[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.floats.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: float [%for.body] on entry
// CHECK: bytes: 17 + 4 [%for.body]{{$}}
PLAN(floats, P(0), N(0))

// A value that is needed in several places has one slot.
double twice(double *R a, const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double e = exp(a[i]);
    s += e * x[i] + e * e * x[i + 1];
    a[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.twice.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %mul2 = fmul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(twice, P(0), P(1), N(0))

// Two arrays of one nest, each with its own element size.
double two(double *R a, float *R b, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    s += a[i] * b[i];
    a[i] = s;
    b[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.two.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %conv = fpext {{ *}}recompute
// CHECK: double [%for.body] on entry
// CHECK: float [%for.body] on entry
// CHECK: bytes: 25 + 12 [%for.body]{{$}}
PLAN(two, P(0), P(1), N(0))

// Each step fills a block of its own from that of the step before: it does not
// write to what it reads, whose row is kept once for all that is computed of
// it.
void *malloc(unsigned long);
void free(void *);
double layers(const double *R w, const double *R x, long n, long steps) {
  double *in = malloc(n * sizeof *in), s = 0;
  for (long i = 0; i < n; ++i)
    in[i] = x[i];
  for (long t = 0; t < steps; ++t) {
    double *out = malloc(n * sizeof *out);
    for (long i = 0; i < n; ++i) {
      double sum = 0;
      for (long j = 0; j < n; ++j)
        sum += w[i * n + j] * in[j];
      out[i] = sum * sum;
    }
    free(in);
    in = out;
  }
  for (long i = 0; i < n; ++i)
    s += in[i];
  free(in);
  return s;
}
// CHECK-LABEL: plan of rev.layers.
// CHECK: %.same = load {{ *}}recompute {{.*}} in a copy
// CHECK: ptr [%for.body5] on entry, {{.*}} a copy of double [%for.body16]
// CHECK: bytes: 92 + 24 [%for.body5] + 8 [%for.body5 x %for.body16] + 8 [%for.body5 x %for.cond13.preheader]{{$}}
PLAN(layers, P(0), P(1), N(0), N(1))
