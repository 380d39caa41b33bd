// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: what is called again, what is differentiated by the reverse pass,
// what has a tape of its own.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
#define OWN __attribute__((noinline)) static
double exp(double), sin(double);

// A small function that reads memory that stays is called again.
OWN long pick(const int *R k, long i) { return k[i] * 3 + 1; }
double callAgain(const double *R x, const int *R k, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[pick(k, i)];
    s += v * v;
  }
  return s;
}
// CHECK-LABEL: plan of rev.callAgain.
// CHECK: %call = call {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(callAgain, P(0), C(1), N(0))

// What it reads is overwritten: its result is kept.
double callOnce(const double *R x, int *R k, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[pick(k, i)];
    s += v * v;
    k[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.callOnce.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: i64 [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(callOnce, P(0), C(1), N(0))

// It is too dear: its result is kept.
OWN long count(const int *R k, long i) {
  long c = 0;
  for (long j = 0; j < i; ++j)
    c += k[j] > 3;
  return c;
}
double callDear(const double *R x, const int *R k, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[count(k, i)];
    s += v * v;
  }
  return s;
}
// CHECK-LABEL: plan of rev.callDear.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: i64 [%for.body] on entry
// CHECK: bytes: 17 + 8 [%for.body]{{$}}
PLAN(callDear, P(0), C(1), N(0))

// All its inputs survive: differentiated by the reverse pass, no tape.
OWN double wave(const double *R x, long i) { return sin(x[i]) * x[i + 1]; }
double atReverse(const double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += wave(x, i);
  return s;
}
// CHECK-LABEL: plan of rev.atReverse.
// CHECK: bytes: 9{{$}}
// CHECK: %call: at reverse rev.wave.
// CHECK-SAME: , reads arg0 shadow0 arg1{{$}}
// CHECK-LABEL: plan of rev.wave.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: bytes: 24{{$}}
PLAN(atReverse, P(0), N(0))

// They do not: split, and the sub-tape is an element of an array.
double split(double *R x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    s += wave(x, i);
    x[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.split.
// CHECK: tape of %call {{ *}}keep in slot
// CHECK: %adze.tape.wave [%for.body] on entry
// CHECK: bytes: 17 + 24 [%for.body]{{$}}
// CHECK: %call: split split.wave.
// CHECK-SAME: , tape in place, reads shadow0 arg1{{$}}
// CHECK-LABEL: plan of split.wave.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %call = call {{ *}}keep in slot
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: bytes: 24{{$}}
PLAN(split, P(0), N(0))

// It writes memory, and needs no tape for it.
OWN void fill(double *R y, const double *R x, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
double noTape(const double *R x, double *R y, long n) {
  double s = 0;
  fill(y, x, n);
  for (long i = 0; i < n; ++i)
    s += y[i];
  return s;
}
// CHECK-LABEL: plan of rev.noTape.
// CHECK: bytes: 9{{$}}
// CHECK: call fill: split split.fill.
// CHECK-SAME: , no tape, reads shadow0 arg1 shadow1 arg2{{$}}
// CHECK-LABEL: plan of split.fill.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK-NOT: bytes:
PLAN(noTape, P(0), P(1), N(0))

// The memory that it writes stays: it is read from there in both.
OWN void fillExp(double *R y, const double *R x, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = exp(x[i]);
}
double readBack(const double *R x, double *R y, long n) {
  double s = 0;
  fillExp(y, x, n);
  for (long i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
// CHECK-LABEL: plan of rev.readBack.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
// CHECK: call fillExp: split split.fillExp.
// CHECK-SAME: , no tape, reads arg0 shadow0 shadow1 arg2{{$}}
// CHECK-LABEL: plan of split.fillExp.
// CHECK: %call = call {{ *}}read from %arrayidx1
// CHECK-NOT: bytes:
PLAN(readBack, P(0), P(1), N(0))

// The caller overwrites it: kept by the callee.
double notReadBack(const double *R x, double *R y, long n) {
  double s = 0;
  fillExp(y, x, n);
  for (long i = 0; i < n; ++i) {
    s += y[i];
    y[i] = 0;
  }
  return s;
}
// CHECK-LABEL: plan of rev.notReadBack.
// CHECK: tape of call fillExp {{ *}}keep in slot
// CHECK: bytes: 17{{$}}
// CHECK: call fillExp: split split.fillExp.
// CHECK-SAME: , tape in place, reads shadow0 shadow1 arg2{{$}}
// CHECK-LABEL: plan of split.fillExp.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: double [%for.body] on entry
// CHECK: bytes: 8 + 8 [%for.body]{{$}}
PLAN(notReadBack, P(0), P(1), N(0))

// What the callee reads is overwritten by the caller: a row, kept once.
OWN double nest(const double *R a, const double *R w, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      s += a[j] * a[j] * w[i];
  return s;
}
double rows(double *R a, const double *R w, long n) {
  double s = nest(a, w, n);
  for (long i = 0; i < n; ++i)
    a[i] = 0;
  return s;
}
// CHECK-LABEL: plan of rev.rows.
// CHECK: tape of %call {{ *}}keep in slot
// CHECK: bytes: 17{{$}}
// CHECK: %call: split split.nest.
// CHECK-SAME: , tape in place, reads shadow0 arg1 shadow1 arg2{{$}}
// CHECK-LABEL: plan of split.nest.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %mul = fmul {{ *}}recompute
// CHECK: double [%for.body4] on entry
// CHECK: bytes: 8 + 8 [%for.body4]{{$}}
PLAN(rows, P(0), P(1), N(0))

// A recursion: tapes by pointer.
OWN double power(double x, long n) { return n == 0 ? 1 : x * power(x, n - 1); }
double recursion(const double *R x, long n) {
  return power(*x, n) * power(2 * *x, n);
}
// CHECK-LABEL: plan of rev.recursion.
// CHECK: %{{[0-9]+}} = load {{ *}}keep in slot
// CHECK: %call = call {{ *}}keep in slot
// CHECK: tape of %call {{ *}}keep in slot
// CHECK: %mul = fmul {{ *}}keep in slot
// CHECK: %call1 = call {{ *}}keep in slot
// CHECK: tape of %call1 {{ *}}keep in slot
// CHECK: bytes: 64{{$}}
// CHECK: %call: split split.power.
// CHECK-SAME: , tape in place, reads arg0 arg1{{$}}
// CHECK: %call1: split split.power.
// CHECK-SAME: , tape in place, reads arg0 arg1{{$}}
// CHECK-LABEL: plan of split.power.
// CHECK: %call = call {{ *}}keep in slot
// CHECK: tape of %call {{ *}}keep in slot
// CHECK: bytes: 16{{$}}
// CHECK: %call: split split.power.
// CHECK-SAME: , tape by pointer, reads arg0 arg1{{$}}
PLAN(recursion, P(0), N(0))

// In a loop that counts: tapes in the array that is allocated for it.
OWN double fan(double *R x, long n) {
  double s = x[n];
  x[n] = s * s;
  for (long i = 0; i < n; ++i)
    s += fan(x, i) * x[n];
  return s;
}
double fans(double *R x, long n) { return fan(x, n); }
// CHECK-LABEL: plan of split.fan.
// CHECK: tape of %call {{ *}}keep in slot [[TAPE:[0-9]+]]
// CHECK: [[TAPE]]: %adze.tape.fan{{.*}} [%for.body] on entry, at slot
// CHECK: %call: split split.fan.
// CHECK-SAME: , tape in place,
PLAN(fans, P(0), N(0))

// Not in each iteration: an array would have room for calls never made.
OWN double some(double *R x, long n) {
  double s = x[n];
  x[n] = s * s;
  for (long i = 0; i < n; ++i)
    if (s > i)
      s += some(x, i) * x[n];
  return s;
}
double somes(double *R x, long n) { return some(x, n); }
// CHECK-LABEL: plan of split.some.
// CHECK: ptr [%for.body] on entry, at slot {{[0-9]+}} for tape of %call
// CHECK: %call: split split.some.
// CHECK-SAME: , tape by pointer,
PLAN(somes, P(0), N(0))

// Of unknown count, or each calling the other.
OWN double odd(double *R x, long n);
OWN double even(double *R x, long n) {
  double s = x[n];
  x[n] = s * s;
  for (long i = 0; i < n; ++i)
    s += odd(x, i) * x[n];
  return s;
}
OWN double odd(double *R x, long n) {
  double s = x[n];
  x[n] = s * s;
  for (long i = n - 1; s > i; --i)
    s += even(x, i) * odd(x, i);
  return s;
}
double evens(double *R x, long n) { return even(x, n); }
// CHECK-LABEL: plan of split.even.
// CHECK: split split.odd.
// CHECK-LABEL: plan of split.odd.
// CHECK: split split.even.
// CHECK-SAME: , tape by pointer,
// CHECK: split split.odd.
// CHECK-SAME: , tape by pointer,
PLAN(evens, P(0), N(0))

// The count of a loop comes from a call: made once, nothing kept in the loop.
OWN long size(const int *R k, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i)
    s += k[i];
  return s;
}
double inactive(const double *R x, const int *R k, long n) {
  long m = size(k, n);
  double s = 0;
  for (long i = 0; i < m; ++i)
    s += x[i] * x[i];
  return s;
}
// CHECK-LABEL: plan of rev.inactive.
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(inactive, P(0), C(1), N(0))
