// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose arrays may overlap have two versions: where the arrays are
// apart, what they hold is read again.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"

// By rows, with an accumulator in memory.
void product(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
// CHECK-LABEL: plan of rev.product.
// CHECK: bytes: {{[0-9]+}} + 16 [{{[^]]*}}.any x {{[^]]*}}.any x
// {{[^]]*}}.any]{{$}}
PLAN(product, P(0), P(1), P(2), N(0))

// A triangle: the inner loop's count varies. An index without sign.
void solve(const double *l, const double *b, double *x, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    double s = b[i];
    for (unsigned j = 0; j < i; ++j)
      s -= l[i * n + j] * x[j];
    x[i] = s / l[i * n + i];
  }
}
// CHECK-LABEL: plan of rev.solve.
// CHECK: bytes: {{[0-9]+}} + 16 [%for.body.any] + 8 [%for.body.any x
// %for.body4.any]{{$}}
PLAN(solve, P(0), P(1), P(2), N(0))

// Backwards, and by steps of which only the run knows the sign.
void strided(const double *x, double *y, long n, long step) {
  for (long i = n - 1; i >= 0; --i)
    y[i] = x[i * step] * x[i * step + 1];
}
// CHECK-LABEL: plan of rev.strided.
// CHECK: bytes: {{[0-9]+}} + 16 [%for.body.any]{{$}}
PLAN(strided, P(0), P(1), N(0), N(1))

// What is linear needs nothing of them, and has one version.
void linear(const double *x, double *y, long n) {
  for (long i = 1; i < n; ++i)
    y[i] = 0.5 * x[i - 1] + 3.0 * x[i];
}
// CHECK-LABEL: plan of rev.linear.
// CHECK-NOT: .any
PLAN(linear, P(0), P(1), N(0))

// Where this ends, a run over the indices says beforehand.
void gathered(const double *x, const int *at, double *y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[at[i]] * x[at[i]];
}
// CHECK-LABEL: plan of rev.gathered.
// CHECK: bytes: {{[0-9]+}} + 8 [{{[^]]*}}.any]{{$}}
PLAN(gathered, P(0), P(1), P(2), N(0))

// But not where the loop itself says which index is next.
void followed(const double *x, const int *next, double *y, long n) {
  for (int i = 0; i < n; i = next[i])
    y[i] = x[i] * x[i];
}
// CHECK-LABEL: plan of rev.followed.
// CHECK-NOT: .any
PLAN(followed, P(0), P(1), P(2), N(0))

// Nor where indices are overwritten.
void renumbered(const double *x, int *at, double *y, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] = x[at[i]] * x[at[i]];
    at[n - i] = 2 * i;
  }
}
// CHECK-LABEL: plan of rev.renumbered.
// CHECK-NOT: .any
PLAN(renumbered, P(0), P(1), P(2), N(0))

// An inspector would run through all steps.
void steps(const double *x, const int *at, double *y, long n, long m) {
  for (long t = 0; t < m; ++t)
    for (long i = 0; i < n; ++i)
      y[i] += x[at[i]] * x[at[i]];
}
// CHECK-LABEL: plan of rev.steps.
// CHECK-NOT: .any
PLAN(steps, P(0), P(1), P(2), N(0), N(1))

// Two vectors in one block.
void vectors(double *block, const int *at, long n) {
  double *y = block + n;
  for (long i = 0; i < n; ++i)
    y[i] = block[at[i]] * block[at[i]];
}
// CHECK-LABEL: plan of rev.vectors.
// CHECK: bytes: {{[0-9]+}} + 8 [{{[^]]*}}.any]{{$}}
PLAN(vectors, P(0), P(1), N(0))

// Rows behind pointers, the innermost loop over one of them.
void rows(double **a, double **b, double **c, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i][j] += a[i][k] * b[k][j];
}
// CHECK-LABEL: plan of rev.rows.
// CHECK: bytes: {{[0-9]+}} + 16 [{{[^]]*}}.any x {{[^]]*}}.any x
// {{[^]]*}}.any]{{$}}
PLAN(rows, P(0), P(1), P(2), N(0))

// Rows behind pointers that are overwritten in place: where no two overlap, each
// element is written once, and so is what it was divided by.
void factored(double **a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double sum = a[i][j];
      for (int k = 0; k < j; ++k)
        sum -= a[i][k] * a[j][k];
      a[i][j] = sum / a[j][j];
    }
}
// CHECK-LABEL: plan of rev.factored.
// CHECK: %neg.any = fneg {{ *}}keep
// CHECK: %div.any = fdiv {{ *}}keep
// CHECK: %neg = fneg {{ *}}recompute
// CHECK: %div = fdiv {{ *}}read from
PLAN(factored, P(0), N(0))

// But not where the table of the rows is written, too.
void exchanged(double **a, int n) {
  for (int i = 1; i < n; ++i) {
    for (int j = 1; j < n; ++j)
      a[i][j] *= a[i - 1][j - 1];
    double *row = a[i];
    a[i] = a[0];
    a[0] = row;
  }
}
// CHECK-LABEL: plan of rev.exchanged.
// CHECK-NOT: .any
PLAN(exchanged, P(0), N(0))

// Block operations of which only the run knows the length.
void cleared(const double *x, double *y, long n, long m) {
  __builtin_memset(y, 0, m * sizeof *y);
  for (long i = 0; i < n; ++i)
    y[i] += x[i] * x[i];
}
// CHECK-LABEL: plan of rev.cleared.
// CHECK: bytes: {{[0-9]+}} + 8 [{{[^]]*}}.any]{{$}}
PLAN(cleared, P(0), P(1), N(0), N(1))

// Which element that is only the run knows, but it is one of the first eight:
// the index is one of several counters and constants, around loops.
double least(const double *x, double *y, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    for (int c = 0; c < 8; ++c)
      y[c] = x[i] * x[n + c] * x[n + c];
    int best = 0;
    for (int c = 1; c < 8; ++c)
      if (y[c] < y[best])
        best = c;
    sum += y[best] * y[best];
  }
  return sum;
}
// CHECK-LABEL: plan of rev.least.
// CHECK: {{\.any}}
PLAN(least, P(0), P(1), N(0))

// By a byte, and by the rest of a division.
void bytes(const double *x, const unsigned char *at, double *y, long n) {
  for (long i = 0; i < n; ++i)
    y[at[i] & 15] += x[i % 7] * x[i % 7];
}
// CHECK-LABEL: plan of rev.bytes.
// CHECK: bytes: {{[0-9]+}} + {{.*}}.any]{{$}}
PLAN(bytes, P(0), P(1), P(2), N(0))

// What is volatile may be anything.
void signalled(const double *x, double *y, volatile double *gain, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] += x[i] * x[i];
    *gain = 1;
  }
}
// CHECK-LABEL: plan of rev.signalled.
// CHECK: bytes: {{[0-9]+}} + 8 [%for.body] + 8 [%for.body.any]{{$}}
PLAN(signalled, P(0), P(1), C(2), N(0))

// Addresses of two spaces cannot be compared.
typedef __attribute__((address_space(1))) double There;
void spaces(const double *x, There *y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
void of_spaces(double *x, double *dx, There *y, There *dy, long n) {
  __enzyme_autodiff((void *)spaces, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
}
// CHECK-LABEL: plan of rev.spaces.
// CHECK-NOT: .any
// CHECK: bytes:
