// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the caller of a region knows of the addresses that it gives: which lead
// into different blocks, and which are one.
//
// DEFINE: %{compile} = %clang -fopenmp %adze -S -emit-llvm -o - %s
// RUN: %{compile} -O2 -DF=different | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O1 -DF=different | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O1 -DF=swapped | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=swapped | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O3 -DF=swapped | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=swapped -DHELPER=noinline | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=equal | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=equal -DHELPER=noinline | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=parts | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=previous | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=promised -DHELPER=noinline | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=known | FileCheck --check-prefix=ATOMIC %s
// PLAIN: define {{.*}}@adze.aug.
// PLAIN-NOT: atomicrmw fadd
// PLAIN-NOT: @adze.team.pages.add.double(
// ATOMIC: define {{.*}}@adze.aug.
// ATOMIC: {{atomicrmw fadd|@adze.team.pages.add.double\(}}
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
int enzyme_const;
#ifndef HELPER
#define HELPER always_inline
#endif

/// Rows of one, an element of the other in each iteration; writes to a third
/// one by indices.
__attribute__((HELPER)) static void rows(const double *x, const double *r,
                                         double *y, const int *at, int n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long k = 0; k < 9; ++k)
      s += x[9 * i + k] * x[9 * i + k] * r[i];
    y[at[i]] = s;
  }
}
__attribute__((HELPER)) static double dot(const double *x, const double *y,
                                          int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
__attribute__((HELPER)) static double mirrored(const double *restrict x,
                                               const double *restrict y,
                                               int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[2 * i] * y[i];
  return s;
}
static void fill(double *a, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = x[i & 7];
}

double different(const double *x, const int *at, int n) {
  double *a = malloc(9 * n * sizeof(double)), *b = malloc(n * sizeof(double)),
         *c = malloc(n * sizeof(double));
  fill(a, x, 9 * n);
  fill(b, x, n);
  rows(a, b, c, at, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += c[i];
  free(a);
  free(b);
  free(c);
  return s;
}
// At any one time they are different.
double swapped(const double *x, const int *at, int n) {
  double *a = malloc(9 * n * sizeof(double)),
         *b = malloc(9 * n * sizeof(double)), *r = malloc(n * sizeof(double));
  fill(a, x, 9 * n);
  fill(b, x, 9 * n);
  fill(r, x, n);
  for (int s = 0; s < 10; ++s) {
    rows(a, r, b, at, n);
    double *t = a;
    a = b;
    b = t;
  }
  const double s = a[0] + a[9 * n - 1];
  free(a);
  free(b);
  free(r);
  return s;
}
double equal(const double *x, const int *at, int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  fill(a, x, n);
  fill(b, x, n);
  const double s = dot(a, a, n) + dot(a, b, n);
  free(a);
  free(b);
  return s;
}
double parts(const double *x, const int *at, int n) {
  double *a = malloc(2 * n * sizeof(double));
  fill(a, x, 2 * n);
  const double s = dot(a, a + at[0], n);
  free(a);
  return s;
}
// In the first step that of the step before is the same.
double previous(const double *x, const int *at, int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double)),
         *last = a + 1, s = 0;
  fill(a, x, n);
  fill(b, x, n);
  for (int k = 0; k < 10; ++k) {
    s += dot(a, last, n - 1);
    last = a + 1;
    double *t = a;
    a = b;
    b = t;
  }
  free(a);
  free(b);
  return s;
}
// Nobody writes: then both may be one block, whatever restrict says.
double promised(const double *x, const int *at, int n) {
  return mirrored(x, x + at[0], n);
}
// Memory leads there, too.
double *table;
double known(const double *x, const int *at, int n) {
  double *a = malloc(2 * n * sizeof(double));
  fill(a, x, 2 * n);
  table = a;
  const double s = mirrored(table, a, n);
  free(a);
  return s;
}
void gradient(double *x, double *dx, int *at, int n) {
  __enzyme_autodiff((void *)F, x, dx, enzyme_const, at, n);
}
