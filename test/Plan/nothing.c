// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is linear needs no values of the primal, and what the reverse pass does
// not need is not on the tape.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"
double exp(double);

// The counts of loops only.
void affine(const double *R x, double *R y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = 2 * x[i] + 1;
}
// CHECK-LABEL: plan of rev.affine.
// CHECK: bytes: 9{{$}}
PLAN(affine, P(0), NONEED(1), N(0))

// Overwritten inputs do not matter either.
void inPlace(double *R x, long n) {
  for (long i = 1; i < n; ++i)
    x[i] = 0.5 * (x[i - 1] + x[i]);
}
// CHECK-LABEL: plan of rev.inPlace.
// CHECK: bytes: 9{{$}}
PLAN(inPlace, P(0), N(0))

// Matrix times vector: the matrix is constant, and stays.
void matrixVector(const double *R a, const double *R x, double *R y, long n) {
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long j = 0; j < n; ++j)
      s += a[i * n + j] * x[j];
    y[i] = s;
  }
}
// CHECK-LABEL: plan of rev.matrixVector.
// CHECK: %mul = mul {{ *}}recompute
// CHECK: %{{[0-9]+}} = load {{ *}}recompute
// CHECK: bytes: 9{{$}}
PLAN(matrixVector, C(0), P(1), P(2), N(0))

// An inactive computation, however dear.
void beside(const double *R x, double *R y, double *R z, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] = 3 * x[i];
    z[i] = exp(z[i]);
  }
}
// CHECK-LABEL: plan of rev.beside.
// CHECK: bytes: 9{{$}}
PLAN(beside, P(0), P(1), C(2), N(0))

// A number that a comparison alone reads.
double compared(const double *R x, const double *R z, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    if (exp(z[i]) > 2)
      s += x[i];
  return s;
}
// CHECK-LABEL: plan of rev.compared.
// CHECK: %cmp1 = fcmp {{ *}}keep in slot
// CHECK: i8 [%for.body] on entry
// CHECK: bytes: 17 + 1 [%for.body]{{$}}
PLAN(compared, P(0), C(1), N(0))
