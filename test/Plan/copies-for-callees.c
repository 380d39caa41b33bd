// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One copy of an array serves the caller and the reverse halves of callees.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
// RUN: %adze-opt --stop-after=emit %t | FileCheck %s --check-prefix=EMIT
#include "Inputs/plan.h"

__attribute__((noinline)) static void apply(const double *R u, double *R out,
                                            long n) {
  for (long i = 1; i < n - 1; ++i)
    out[i] = (2 + u[i]) * u[i] - u[i - 1] * u[i + 1];
}

// Two nests that read p, and one that overwrites it.
#define REST(P, Q, N)                                                          \
  do {                                                                         \
    double pq = 0;                                                             \
    for (long i = 0; i < (N); ++i)                                             \
      pq += (P)[i] * (Q)[i];                                                   \
    for (long i = 0; i < (N); ++i)                                             \
      s += (P)[i] * (P)[i] * pq;                                               \
    for (long i = 0; i < (N); ++i)                                             \
      (P)[i] = 0.3 * (Q)[i] + 0.1 * (P)[i];                                    \
  } while (0)

// The copy is made behind the call, and freed when the call has been reversed.
double behind(double *R p, double *R q, long n, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    apply(p, q, n);
    REST(p, q, n);
  }
  return s;
}
// CHECK-LABEL: plan of rev.behind.
// CHECK: %[[COPY:else.[0-9]+]] = call {{ *}}keep in slot
// CHECK: a copy of double
// CHECK: call apply: split split.apply.{{[^ ]*}}.c0, no tape, reads shadow0 shadow1 arg2 copy0{{$}}
// CHECK-LABEL: plan of split.apply.{{[^ ]*}}.c0{{$}}
// CHECK: %[[GIVEN:else.[0-9]+]] = call {{ *}}available
// CHECK: %[[FROM:else.[0-9]+]] = getelementptr {{ *}}recompute from %[[GIVEN]]
// CHECK: %else.{{[0-9]+}} = call {{ *}}recompute as %[[FROM]]
// CHECK-NOT: keep
// EMIT-LABEL: define internal void @adze.grad.behind
// EMIT-NOT: call void @adze.tape.free
// EMIT: call void @adze.rev.apply{{[^(]*}}(ptr poison, {{.*}}, i64 %n, ptr %else{{[^,]*}}, ptr null)
// EMIT-NEXT: call void @adze.tape.free
// EMIT-LABEL: define internal void @adze.rev.apply{{.*}}, ptr noalias %u.copy, ptr %0)
PLAN(behind, P(0), P(1), N(0), N(1))

// It is made in front of the call, and freed where it is made.
double infront(double *R p, double *R q, long n, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    double pq = 0;
    for (long i = 0; i < n; ++i)
      pq += p[i] * q[i];
    apply(p, q, n);
    for (long i = 0; i < n; ++i)
      s += p[i] * p[i] * pq;
    for (long i = 0; i < n; ++i)
      p[i] = 0.3 * q[i] + 0.1 * p[i];
  }
  return s;
}
// CHECK-LABEL: plan of rev.infront.
// CHECK: call apply: split split.apply.{{[^ ]*}}.c0, no tape, reads shadow0 shadow1 arg2 copy0{{$}}
PLAN(infront, P(0), P(1), N(0), N(1))

// What the callee reads is not all in the copy.
double before(double *R p, double *R q, long n, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    apply(p, q, n);
    REST(p + 1, q, n);
    p[0] = q[1];
  }
  return s;
}
// CHECK-LABEL: plan of rev.before.
// CHECK: call apply: split {{.*}}.m1100, tape
PLAN(before, P(0), P(1), N(0), N(1))

double less(double *R p, double *R q, long n, long m, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    apply(p, q, n);
    REST(p, q, m);
    p[n - 1] = q[1];
  }
  return s;
}
// CHECK-LABEL: plan of rev.less.
// CHECK: call apply: split {{.*}}.m1100, tape
PLAN(less, P(0), P(1), N(0), N(1), N(2))

// It is overwritten between the call and the copy.
double changed(double *R p, double *R q, long n, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    apply(p, q, n);
    p[t] = q[1];
    REST(p, q, n);
  }
  return s;
}
// CHECK-LABEL: plan of rev.changed.
// CHECK: call apply: split {{.*}}.m1100, tape
PLAN(changed, P(0), P(1), N(0), N(1))

// The callee may write to what it reads.
__attribute__((noinline)) static void applyAnywhere(const double *u,
                                                    double *out, long n) {
  for (long i = 1; i < n - 1; ++i)
    out[i] = u[i] * u[i];
}
double meeting(double *R p, double *R q, long n, long steps) {
  double s = 0;
  for (long t = 0; t < steps; ++t) {
    applyAnywhere(p, q, n);
    REST(p, q, n);
  }
  return s;
}
// CHECK-LABEL: plan of rev.meeting.
// CHECK: call applyAnywhere: split {{.*}}.m1100, tape
PLAN(meeting, P(0), P(1), N(0), N(1))
