// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of which a nest reads each element several times, and which are
// overwritten later: copied, where that is cheaper and can be done.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
#include <stdlib.h>

// Two buffers that change roles: one copy for each round.
double swapped(double *R u, double *R next, long n, long rounds) {
  for (long t = 0; t < rounds; ++t) {
    for (long i = 1; i < n; ++i)
      next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
    double *last = u;
    u = next;
    next = last;
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.swapped.
// CHECK: load {{ *}}recompute from %{{[^ ]+}} in a copy{{$}}
// CHECK-NOT: = load {{ *}}keep
// CHECK: ptr [%[[T:.*]]] on entry, at slot {{.*}}, a copy of double [%[[I:.*]]]
// CHECK: bytes: {{.*}} + 8 [%[[T]] x %[[I]]]{{$}}
PLAN(swapped, P(0), P(1), N(0), N(1))

// The two halves of one block: that n - 2 is what int says it is follows from
// the loop being entered. In turns, and by the parity of the step; blocks of
// the heap.
double halves(double *R work, int n, int rounds) {
  double *u = work, *next = work + n;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
    double *last = u;
    u = next;
    next = last;
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.halves.
// CHECK: ptr [%[[T:.*]]] on entry, at slot {{.*}}, a copy of double [%[[I:.*]]]
// CHECK: bytes: {{.*}} + 8 [%[[T]] x %[[I]]]{{$}}
PLAN(halves, P(0), N(0), N(1))

double parity(double *R work, int n, int rounds) {
  double(*u)[n] = (double(*)[n])work;
  for (int t = 0; t < rounds; ++t)
    for (int i = 1; i < n - 1; ++i)
      u[(t + 1) % 2][i] =
          u[t % 2][i - 1] * u[t % 2][i] + u[t % 2][i] * u[t % 2][i + 1];
  return u[0][1];
}
// CHECK-LABEL: plan of rev.parity.
// CHECK: ptr [%[[T:.*]]] on entry, at slot {{.*}}, a copy of double [%[[I:.*]]]
// CHECK: bytes: {{.*}} + 8 [%[[T]] x %[[I]]]{{$}}
PLAN(parity, P(0), N(0), N(1))

double blocks(const double *R x, int n, int rounds) {
  double *u = malloc(n * sizeof *u), *next = malloc(n * sizeof *u);
  for (int i = 0; i < n; ++i)
    u[i] = next[i] = x[i];
  for (int t = 0; t < rounds; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
    double *last = u;
    u = next;
    next = last;
  }
  double s = u[1];
  free(u);
  free(next);
  return s;
}
// CHECK-LABEL: plan of rev.blocks.
// CHECK: ptr [%[[T:.*]]] on entry, at slot {{.*}}, a copy of double [%[[I:.*]]]
// CHECK: bytes: {{.*}} + 8 [%[[T]] x %[[I]]]{{$}}
PLAN(blocks, P(0), N(0), N(1))

// Halves that overlap.
double beside(double *R work, int n, int rounds) {
  double *u = work, *next = work + n - 2;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
    double *last = u;
    u = next;
    next = last;
  }
  return u[1];
}
// CHECK-LABEL: plan of rev.beside.
// CHECK-NOT: a copy
PLAN(beside, P(0), N(0), N(1))

// The rows of a grid, in one copy. Where a row is much longer than what is read
// of it, or nothing tells how long it is, row by row.
double rows(double *R u, double *R next, long n, long m) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j) {
      long at = i * m + j;
      next[at] = u[at] * u[at - 1] + u[at - m] * u[at + 1] + u[at] * u[at + m];
    }
  for (long k = 0; k < n * m; ++k)
    u[k] = 0;
  return next[m + 1];
}
// CHECK-LABEL: plan of rev.rows.
// CHECK: ptr for {{.*}}, a copy of double [%[[I:.*]] x %[[J:.*]]]
// CHECK: bytes: {{[0-9]+}} + 8 [%[[I]] x %[[J]]]{{$}}
PLAN(rows, P(0), P(1), N(0), N(1))

double window(double *R u, double *R next, long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 1; j < 100; ++j) {
      long at = i * m + j;
      next[at] = u[at] * u[at - 1] + u[at] * u[at + 1] + u[at - 1] * u[at + 1];
    }
  u[1] = 0;
  return next[m + 1];
}
// CHECK-LABEL: plan of rev.window.
// CHECK: ptr [%[[I:.*]]] on entry, at slot {{.*}}, a copy of double [%[[J:.*]]]
PLAN(window, P(0), P(1), N(0), N(1))

// Two members of many: to copy them all would cost more.
struct node {
  double a, b, other[6];
};
double members(struct node *R u, double *R next, long n) {
  for (long i = 0; i < n; ++i)
    next[i] = u[i].a * u[i].b;
  for (long i = 0; i < n; ++i)
    u[i].a = 0;
  u[1].b = 0;
  return next[1];
}
// CHECK-LABEL: plan of rev.members.
// CHECK-NOT: a copy
// CHECK: bytes: {{[0-9]+}} + 16 [
PLAN(members, P(0), P(1), N(0))

// One load: to keep its value costs the same.
double once(double *R u, double *R next, long n) {
  for (long i = 0; i < n; ++i)
    next[i] = u[i] * u[i];
  u[1] = 0;
  return next[1];
}
// CHECK-LABEL: plan of rev.once.
// CHECK: load {{ *}}keep
// CHECK-NOT: a copy
PLAN(once, P(0), P(1), N(0))

// What is read may have been written in the same loop.
double inPlace(double *R u, long n) {
  for (long i = 3; i < n; ++i)
    u[i] = u[i - 3] * u[i - 2] + u[i - 2] * u[i - 1];
  u[1] = u[2] = 0;
  return u[3];
}
// CHECK-LABEL: plan of rev.inPlace.
// CHECK-NOT: a copy
PLAN(inPlace, P(0), N(0))

// It is written behind the reads.
double ahead(double *R u, long n) {
  for (long i = 1; i < n; ++i)
    u[i] = u[i] * u[i + 1] + u[i + 1] * u[i + 2];
  return u[1];
}
// CHECK-LABEL: plan of rev.ahead.
// CHECK: load recompute from {{.*}} in a copy
PLAN(ahead, P(0), N(0))

// Without restrict, a copy of what is overwritten later, where the arrays are
// apart.
double mayOverlap(double *u, double *next, long n) {
  for (long i = 1; i < n; ++i)
    next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
  u[1] = 0;
  return next[1];
}
// CHECK-LABEL: plan of rev.mayOverlap.
// CHECK: shadow of %arrayidx.any
// CHECK-NOT: a copy
// CHECK: shadow of %arrayidx
// CHECK: a copy
PLAN(mayOverlap, P(0), P(1), N(0))

// Not all may be there: elements that are read on a condition, or by a loop
// that may end early.
double some(double *R u, double *R next, const double *R w, long n) {
  for (long i = 1; i < n; ++i)
    if (w[i] > 0)
      next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
  u[1] = 0;
  return next[1];
}
// CHECK-LABEL: plan of rev.some.
// CHECK-NOT: a copy
PLAN(some, P(0), P(1), P(2), N(0))

double untilFound(double *R u, double *R next, const double *R w, long n) {
  for (long i = 1; i < n; ++i) {
    if (w[i] > 0)
      break;
    next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
  }
  u[1] = 0;
  return next[1];
}
// CHECK-LABEL: plan of rev.untilFound.
// CHECK-NOT: a copy
PLAN(untilFound, P(0), P(1), P(2), N(0))

void check(double) __attribute__((enzyme_inactive));
double mayExit(double *R u, double *R next, long n) {
  for (long i = 1; i < n; ++i) {
    check(i);
    next[i] = u[i - 1] * u[i] + u[i] * u[i + 1];
  }
  u[1] = 0;
  return next[1];
}
// CHECK-LABEL: plan of rev.mayExit.
// CHECK-NOT: a copy
PLAN(mayExit, P(0), P(1), N(0))

// What is not chosen is no code: where nothing overwrites u, the callee still
// calls nothing, and may run once more at reverse time.
__attribute__((noinline)) static double reads(const double *R u, long n) {
  double s = 0;
  for (long i = 1; i < n - 1; ++i)
    s += u[i - 1] * u[i] * u[i + 1];
  return s;
}
double callsReads(const double *R u, long n) {
  double s = reads(u, n);
  return s * s;
}
// CHECK-LABEL: plan of rev.callsReads.
// CHECK: call{{[0-9]*}}: at reverse rev.reads.
PLAN(callsReads, P(0), N(0))
