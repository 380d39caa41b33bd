// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are read and overwritten in one nest: what the walk of the store
// does not come back to is read again, or read where it was stored.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"

double recurrence(double *R x, long n) {
  for (long i = 2; i < n; ++i)
    x[i] = x[i - 1] * x[i - 2];
  return x[n - 1];
}
// CHECK-LABEL: plan of rev.recurrence.
// CHECK: bytes: {{[0-9]+$}}
PLAN(recurrence, P(0), N(0))

// The other way round each number is overwritten after it was read.
double shift(double *R x, long n) {
  for (long i = 0; i + 1 < n; ++i)
    x[i] = x[i + 1] * x[i + 1];
  return x[0];
}
// CHECK-LABEL: plan of rev.shift.
// CHECK: bytes: {{[0-9]+}} + 8 [%{{.*}}]{{$}}
PLAN(shift, P(0), N(0))

// Forward in time, in rows that do not overlap.
double trajectory(double *R u, long n, long steps) {
  for (long t = 0; t + 1 < steps; ++t)
    for (long i = 1; i + 1 < n; ++i)
      u[(t + 1) * n + i] = u[t * n + i] * (u[t * n + i - 1] + u[t * n + i + 1]);
  return u[1];
}
// CHECK-LABEL: plan of rev.trajectory.
// CHECK: bytes: {{[0-9]+$}}
PLAN(trajectory, P(0), N(0), N(1))

// The same where the ends of each row are written by themselves, and n is an
// int that is large enough where the inner loop is entered.
double states(double *R work, int n, int steps) {
  double(*u)[n] = (double(*)[n])work;
  for (int t = 0; t < steps; ++t) {
    u[t + 1][0] = u[t][0];
    u[t + 1][n - 1] = u[t][n - 1];
    for (int i = 1; i < n - 1; ++i)
      u[t + 1][i] = u[t][i] * (u[t][i - 1] + u[t][i + 1]);
  }
  return u[steps][1];
}
// CHECK-LABEL: plan of rev.states.
// CHECK: bytes: {{[0-9]+$}}
PLAN(states, P(0), N(0), N(1))

// Rows that may overlap.
double overlapping(double *R u, long n, long size, long steps) {
  for (long t = 0; t + 1 < steps; ++t)
    for (long i = 1; i + 1 < n; ++i)
      u[(t + 1) * size + i] = u[t * size + i] * u[t * size + i];
  return u[1];
}
// CHECK-LABEL: plan of rev.overlapping.
// CHECK: = load {{ *}}keep
PLAN(overlapping, P(0), N(0), N(1), N(2))

// Both factors of a product are final when they are read, and the quotient is
// where it was stored: each element is written once.
double triangular(long n, double *R a) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) {
      double sum = a[i * n + j];
      for (long k = 0; k < j; ++k)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / a[j * n + j];
    }
  return a[n];
}
// CHECK-LABEL: plan of rev.triangular.
// CHECK: bytes: {{[0-9]+$}}
PLAN(triangular, N(0), P(0))

// Rows of a declared array do not overlap: no row behind the last is accessed,
// and no column behind the diagonal.
double held[40][40];
double declared(long n, const double *R x) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) {
      double sum = x[j];
      for (long k = 0; k < j; ++k)
        sum -= held[i][k] * held[j][k];
      held[i][j] = sum / held[j][j];
    }
  return held[n - 1][0];
}
// CHECK-LABEL: plan of rev.declared.
// CHECK: bytes: {{[0-9]+$}}
PLAN(declared, N(0), P(0))

// Of an array of any size they may.
double of_any_size(long n, double (*R a)[40]) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) {
      double sum = a[i][j];
      for (long k = 0; k < j; ++k)
        sum -= a[i][k] * a[j][k];
      a[i][j] = sum / a[j][j];
    }
  return a[n - 1][0];
}
// CHECK-LABEL: plan of rev.of_any_size.
// CHECK: = load {{ *}}keep
PLAN(of_any_size, N(0), P(0))

// A column that a later step does not touch: what it writes in the same row
// stands in other columns.
double gauss(long n, double *R a) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (long j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  return a[n];
}
// CHECK-LABEL: plan of rev.gauss.
// CHECK: bytes: {{[0-9]+$}}
PLAN(gauss, N(0), P(0))

// Rows longer than what is known of them: the columns may be any.
double columns(long n, long size, double *R a) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i)
      for (long j = k + 1; j < n; ++j)
        a[i * size + j] -= a[i * size + k] * a[k * size + j];
  return a[n];
}
// CHECK-LABEL: plan of rev.columns.
// CHECK: = load {{ *}}keep
PLAN(columns, N(0), N(1), P(0))

// The quotient, and the root, are where the store behind the join puts them.
double choice(long n, double *R a, double *R x) {
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = 0; j < n; ++j)
      sum += x[j] * x[j + i];
    a[i] = i & 1 ? __builtin_exp(sum) : __builtin_sqrt(sum);
  }
  return a[n - 1];
}
// CHECK-LABEL: plan of rev.choice.
// CHECK: = call {{ *}}read from %arrayidx
// CHECK: bytes: {{[0-9]+$}}
PLAN(choice, N(0), P(0), P(1))

// Below the diagonal it is written, above it is read.
double mirror(double (*R a)[16]) {
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      if (j < i)
        a[i][j] = a[j][i] * a[j][i];
  return a[3][2];
}
// CHECK-LABEL: plan of rev.mirror.
// CHECK-NOT: keep
PLAN(mirror, (void *)P(0))

// The same, packed by rows: each element is written once. With ints, too.
double packed(long n, double *R a) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) {
      double sum = a[i * (i + 1) / 2 + j];
      for (long k = 0; k < j; ++k)
        sum -= a[i * (i + 1) / 2 + k] * a[j * (j + 1) / 2 + k];
      a[i * (i + 1) / 2 + j] = sum / a[j * (j + 1) / 2 + j];
    }
  return a[n];
}
// CHECK-LABEL: plan of rev.packed.
// CHECK: bytes: {{[0-9]+$}}
PLAN(packed, N(0), P(0))

// Half of an odd number is cut off, so that two iterations may meet.
double halves(long n, double *R a) {
  for (long i = 0; i < n; ++i)
    a[i * (i + 2) / 2] = a[i * (i + 2) / 2] * a[i];
  return a[n];
}
// CHECK-LABEL: plan of rev.halves.
// CHECK: = load {{ *}}keep
PLAN(halves, N(0), P(0))
