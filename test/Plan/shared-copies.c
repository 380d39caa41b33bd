// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that several nests share, or that are read at an index that nobody
// knows beforehand.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
// RUN: sed -e '/^declare void @check/s/#[0-9]*$/memory(none)/' %t > %t.ll
// RUN: grep 'declare void @check.*memory(none)' %t.ll
// RUN: %plan %t.ll | FileCheck %s --check-prefix=END
#include "Inputs/plan.h"

// Two nests read an array that the step then overwrites.
double shared(double *R u, double *R v, double *R w, long n, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    for (long i = 0; i < n; ++i)
      w[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1] + w[1];
}
// CHECK-LABEL: plan of rev.shared.
// CHECK-NOT: = load {{ *}}keep
// CHECK: bytes: {{[0-9]+}} + 8 [%[[T:[^ ]*]]] + 8 [%[[T]] x %{{[^ ]*}}]{{$}}
PLAN(shared, P(0), P(1), P(2), N(0), N(1))

// Two parts of one block: that they are apart follows from where the loops
// begin and end.
double parts(double *R u, long n, long steps) {
  double *v = u + n;
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    for (long i = n - 1; i >= 0; --i)
      v[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1];
}
// CHECK-LABEL: plan of rev.parts.
// CHECK-NOT: = load {{ *}}keep
// CHECK: bytes: {{[0-9]+}} + 8 [%[[T:[^ ]*]]] + 8 [%[[T]] x %{{[^ ]*}}]{{$}}
PLAN(parts, P(0), N(0), N(1))

// One element is in both.
double overlapping(double *R u, long n, long steps) {
  double *v = u + n - 1;
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    for (long i = n - 1; i >= 0; --i)
      v[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1];
}
// CHECK-LABEL: plan of rev.overlapping.
// CHECK: load {{ *}}keep
// CHECK-NOT: a copy
PLAN(overlapping, P(0), N(0), N(1))

// Something writes between the two.
double between(double *R u, double *R v, double *R w, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    u[t] = 0.5;
    for (long i = 0; i < n; ++i)
      w[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1] + w[1];
}
// CHECK-LABEL: plan of rev.between.
// CHECK-NOT: a copy
PLAN(between, P(0), P(1), P(2), N(0), N(1))

// The second nest may not be come to: what it alone reads need not be there. Nor
// if the call before it writes nothing, for it may end the program all the same.
void check(double) __attribute__((enzyme_inactive));
double mayEnd(double *R u, double *R v, double *R w, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    check(t);
    for (long i = 0; i < n + steps; ++i)
      w[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1] + w[1];
}
// CHECK-LABEL: plan of rev.mayEnd.
// CHECK-NOT: a copy
// END-LABEL: plan of rev.mayEnd.
// END-NOT: a copy
// END-LABEL: plan of rev.mayEndInside.
PLAN(mayEnd, P(0), P(1), P(2), N(0), N(1))

// What the first nest reads is there.
double mayEndInside(double *R u, double *R v, double *R w, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    check(t);
    for (long i = 0; i < n; ++i)
      w[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1] + w[1];
}
// CHECK-LABEL: plan of rev.mayEndInside.
// CHECK: load recompute from {{.*}} in a copy
PLAN(mayEndInside, P(0), P(1), P(2), N(0), N(1))

// On a condition that is known where the copy is made.
double onCondition(double *R u, double *R v, double *R w, long n, long steps,
                   long all) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      v[i] += u[i] * u[i];
    if (all > 3)
      for (long i = 0; i < n; ++i)
        w[i] += u[i] * u[i] * u[i];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1;
  }
  return v[1] + w[1];
}
// CHECK-LABEL: plan of rev.onCondition.
// CHECK-NOT: = load {{ *}}keep
// CHECK: a copy of double
PLAN(onCondition, P(0), P(1), P(2), N(0), N(1), N(2))

// A product of a sparse matrix and a vector: one copy of the vector.
double gather(double *R u, double *R v, const double *R a, const int *R at,
              const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i) {
      double s = 0;
      for (int k = from[i]; k < from[i + 1]; ++k)
        s += a[k] * u[at[k]];
      v[i] = s;
    }
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1 * v[i];
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.gather.
// CHECK-NOT: = load {{ *}}keep
// CHECK: a copy of double [%[[I:[^ ]*]]]
// CHECK: bytes: {{.*}} + 8 [%{{[^ ]*}} x %[[I]]]{{$}}
PLAN(gather, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// Only a part is overwritten: what is read of the rest is still there.
double half(double *R u, double *R v, const double *R a, const int *R at,
            const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (int k = from[i]; k < from[i + 1]; ++k)
        v[i] += a[k] * u[at[k]];
    for (long i = 0; i < n / 2; ++i)
      u[i] = 0.5 * u[i] + 0.1 * v[i];
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.half.
// CHECK-NOT: = load {{ *}}keep
// CHECK: a copy of double
PLAN(half, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// Another part in each step: the one copied before the read says nothing of
// what the next step overwrites.
double growing(double *R u, double *R v, const double *R a, const int *R at,
               const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (int k = from[i]; k < from[i + 1]; ++k)
        v[i] += a[k] * u[at[k]];
    for (long i = 0; i < t; ++i)
      u[i] = 0.5 * u[i] + 0.1 * v[i];
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.growing.
// CHECK: load {{ *}}keep
// CHECK-NOT: a copy
PLAN(growing, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// Somebody else writes after the loop.
double later(double *R u, double *R v, const double *R a, const int *R at,
             const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (int k = from[i]; k < from[i + 1]; ++k)
        v[i] += a[k] * u[at[k]];
    for (long i = 0; i < n; ++i)
      u[i] = 0.5 * u[i] + 0.1 * v[i];
  }
  u[from[n]] = 0;
  return u[1];
}
// CHECK-LABEL: plan of rev.later.
// CHECK: load {{ *}}keep
// CHECK-NOT: a copy
PLAN(later, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// Not each element is written, so that the last one may not be there.
double some(double *R u, double *R v, const double *R a, const int *R at,
            const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (int k = from[i]; k < from[i + 1]; ++k)
        v[i] += a[k] * u[at[k]];
    for (long i = 0; i < n; ++i)
      if (a[i] > 0)
        u[i] = 0.5 * u[i] + 0.1 * v[i];
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.some.
// CHECK-NOT: a copy
PLAN(some, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// Parts of numbers are written: some lie half in the range.
double halves(double *R u, double *R v, const double *R a, const int *R at,
              const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (int k = from[i]; k < from[i + 1]; ++k)
        v[i] += a[k] * u[at[k]];
    for (long i = 0; i < n; ++i)
      ((char *)u)[i] = (char)t;
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.halves.
// CHECK-NOT: a copy
PLAN(halves, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// Buffers that change roles.
double exchanged(double *R u, double *R v, const double *R a, const int *R at,
                 const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i) {
      double s = 0;
      for (int k = from[i]; k < from[i + 1]; ++k)
        s += a[k] * u[at[k]];
      v[i] = s;
    }
    double *last = u;
    u = v;
    v = last;
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.exchanged.
// CHECK: load {{ *}}keep
// CHECK-NOT: a copy
PLAN(exchanged, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

// A writer that is not a store to the array.
__attribute__((noinline)) void fill(double *u, long n) {
  for (long i = 0; i < n; ++i)
    u[i] = 0.5 * u[i] + 0.1;
}
double callee(double *R u, double *R v, const double *R a, const int *R at,
              const int *R from, long n, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (int k = from[i]; k < from[i + 1]; ++k)
        v[i] += a[k] * u[at[k]];
    fill(u, n);
  }
  return v[1];
}
// CHECK-LABEL: plan of rev.callee.
// CHECK-NOT: a copy
PLAN(callee, P(0), P(1), P(2), C(3), C(4), N(0), N(1))

static double mix(const double *u) {
  return u[0] * u[1] + u[1] * u[2] + u[2] * u[3] + u[3] * u[0];
}

// Rows, and the array is written before it is read, too.
double rows(double *R u, double *R v, const double *R a, const int *R at,
            long n, long m, long steps) {
  for (long t = 0; t < steps; ++t) {
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < m; ++j)
        u[i * m + j] = 0.5 * v[i] * a[j];
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < m; ++j)
        v[i] += mix(&u[at[i * m + j]]) * a[j];
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.rows.
// CHECK: a copy of double [%{{[^ ]*}} x %{{[^ ]*}}]
PLAN(rows, P(0), P(1), P(2), C(3), N(0), N(1), N(2))
