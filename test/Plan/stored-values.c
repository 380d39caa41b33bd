// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch memory that one loop fills and another reads, overwritten in each
// round: what was stored is computed again where that is proved to be the
// same. Where it is not, the loads are kept.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
// RUN: %adze-opt --stop-after=prepare %t -o %t.primals
// RUN: FileCheck %s --check-prefix=PRE --input-file %t.primals
#include "Inputs/plan.h"

// Nothing but x is read: no tape in the loops. The primal holds no code for it.
// PRE-LABEL: primal of @fills
// PRE-NOT: .stored
// PRE: ; alternative in %do.body4: {{.*}}.stored = getelementptr
// PRE: ; alternative in %do.body4: {{.*}}%sub.stored = fsub double
// PRE: load %[[#]]: reads the stored %sub.stored
// CHECK-LABEL: plan of rev.fills.
// CHECK: %sub.stored = fsub {{ *}}recompute
// CHECK-NOT: double [
double fills(const double *restrict x, double *restrict c, long n,
             long rounds) {
  double total = 0;
  long t = 0;
  do {
    long i = 0, j = 0;
    do
      c[i] = x[i] - x[t];
    while (++i < n);
    do
      total += c[j] * c[j];
    while (++j < n);
  } while (++t < rounds);
  return total;
}
PLAN(fills, P(0), P(1), N(0), N(1))

// x may be the memory that c is: it may have changed.
// PRE-LABEL: primal of @overlaps
// PRE-NOT: reads the stored
// CHECK-LABEL: plan of rev.overlaps.
// CHECK: double [
double overlaps(const double *x, double *c, long n, long rounds) {
  double total = 0;
  long t = 0;
  do {
    long i = 0, j = 0;
    do
      c[i] = x[i] - x[t];
    while (++i < n);
    do
      total += c[j] * c[j];
    while (++j < n);
  } while (++t < rounds);
  return total;
}
PLAN(overlaps, P(0), P(1), N(0), N(1))

// Not all that is read was stored in this round.
// PRE-LABEL: primal of @longer
// PRE-NOT: reads the stored
// CHECK-LABEL: plan of rev.longer.
// CHECK: double [
double longer(const double *restrict x, double *restrict c, long n, long m,
              long rounds) {
  double total = 0;
  long t = 0;
  do {
    long i = 0, j = 0;
    do
      c[i] = x[i] - x[t];
    while (++i < n);
    do
      total += c[j] * c[j];
    while (++j < m);
  } while (++t < rounds);
  return total;
}
PLAN(longer, P(0), P(1), N(0), N(1), N(2))

// One element was overwritten since.
// PRE-LABEL: primal of @patched
// PRE-NOT: reads the stored
// CHECK-LABEL: plan of rev.patched.
// CHECK: double [
double patched(const double *restrict x, double *restrict c, long n,
               long rounds) {
  double total = 0;
  long t = 0;
  do {
    long i = 0, j = 0;
    do
      c[i] = x[i] - x[t];
    while (++i < n);
    c[t] = x[0];
    do
      total += c[j] * c[j];
    while (++j < n);
  } while (++t < rounds);
  return total;
}
PLAN(patched, P(0), P(1), N(0), N(1))

// Some elements were stored in another round, or never.
// PRE-LABEL: primal of @conditional
// PRE-NOT: reads the stored
// CHECK-LABEL: plan of rev.conditional.
// CHECK: double [
double conditional(const double *restrict x, double *restrict c, long n,
                   long rounds) {
  double total = 0;
  long t = 0;
  do {
    long i = 0, j = 0;
    do
      if (x[i] > 0)
        c[i] = x[i] - x[t];
    while (++i < n);
    do
      total += c[j] * c[j];
    while (++j < n);
  } while (++t < rounds);
  return total;
}
PLAN(conditional, P(0), P(1), N(0), N(1))

// x changes after its values were used.
// PRE-LABEL: primal of @consumed
// PRE-NOT: reads the stored
// CHECK-LABEL: plan of rev.consumed.
// CHECK: double [
double consumed(double *restrict x, double *restrict c, long n, long rounds) {
  double total = 0;
  long t = 0;
  do {
    long i = 0, j = 0;
    do {
      c[i] = x[i] - total;
      x[i] = 0.5 * total;
    } while (++i < n);
    do
      total += c[j] * c[j];
    while (++j < n);
  } while (++t < rounds);
  return total;
}
PLAN(consumed, P(0), P(1), N(0), N(1))
