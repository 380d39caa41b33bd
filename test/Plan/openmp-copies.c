// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of which parts of shadows each thread of a region has a copy.
//
// DEFINE: %{ir} = %clang -O2 -fopenmp -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: %{ir} && %adze-opt --stop-after=plan %t.ll | FileCheck %s
// RUN: %adze-opt --stop-after=plan -adze-openmp-adjoint=atomic %t.ll | FileCheck --check-prefix=ATOMIC %s
// ATOMIC-NOT: copies of each thread
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
int enzyme_const;

// If one part were all there is, its thread could write what it has read.
// CHECK-LABEL: plan of split.weights.omp_outlined
// CHECK: copies of each thread
// CHECK-NEXT: doubles from 0 up to {{.*}} behind {{.*}} for {{[0-9]+}} loads, if not in one part
void weights(const double *w, double *y, int n, int d) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += w[j] * w[j];
    y[i] = s;
  }
}
// What is written is a variable of which nobody has another address.
// CHECK-LABEL: plan of split.sum.omp_outlined
// CHECK: copies of each thread
// CHECK-NOT: if not in one part
// CHECK: calls
double sum(const double *w, const double *x, int n, int d) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    if (x[i] > 0)
      for (int j = 0; j < d; ++j)
        s += w[j] * w[j];
  return s;
}
// Where indices lead, only the run knows. Nothing writes what may be there.
// CHECK-LABEL: plan of split.nodes.omp_outlined
// CHECK: copies of each thread
// CHECK-NEXT: doubles in claimed pages for {{[0-9]+}} loads
double nodes(const double *w, const int *at, int n, int d) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += w[at[i]] * w[at[i + d]];
  return s;
}
// Neighbours, in the first and last iterations of each thread. (Of arrays of which
// the caller knows that the region writes other memory.)
// CHECK-LABEL: plan of rev.of_neighbours
// CHECK: copies of each thread
// CHECK-NEXT: doubles in claimed pages for {{[0-9]+}} loads
static void neighbours(const double *w, double *y, int n) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i)
    y[i] = w[i - 1] * w[i + 1];
}
static double of_neighbours(const double *w, int n) {
  double *y = malloc(n * sizeof(double)), s = 0;
  neighbours(w, y, n);
  for (int i = 1; i < n - 1; ++i)
    s += y[i] * y[i];
  free(y);
  return s;
}
// In place, behind a barrier, threads add atomically: what they add to is wanted.
// CHECK-LABEL: plan of split.in_place.omp_outlined
// CHECK-NOT: copies of each thread
// CHECK: plan of
void in_place(double *w, double *y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 1; i < n - 1; ++i)
      y[i] = w[i - 1] * w[i + 1];
#pragma omp for
    for (int i = 0; i < n; ++i)
      w[i] += y[i] * w[i];
  }
}
// A function adds atomically beside.
// CHECK-LABEL: plan of split.beside.omp_outlined
// CHECK: copies of each thread
// CHECK-NEXT: doubles in pages for {{[0-9]+}} loads
__attribute__((noinline)) static double square(const double *w, int k) {
  return w[k] * w[k];
}
double beside(const double *w, const int *at, int n, int d) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += w[at[i]] * w[at[i + d]] + square(w, at[i] % d);
  return s;
}
// Not every iteration reads it: one that does may write.
// CHECK-LABEL: plan of split.sometimes.omp_outlined
// CHECK-NOT: copies of each thread
// CHECK: plan of
void sometimes(const double *w, double *y, int n, int d) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
    if (i % 3 == 0)
      for (int j = 0; j < d; ++j)
        s += w[j] * w[j];
    y[i] = s;
  }
}
// Nor if a loop may end before it.
// CHECK-LABEL: plan of split.until.omp_outlined
// CHECK-NOT: copies of each thread
// CHECK: plan of
void until(const double *w, double *y, int n, int d) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = y[i];
    for (int j = 0; j < d && s < 100; ++j)
      s += w[j] * w[j];
    y[i] = s;
  }
}
// Overwritten behind a barrier.
// CHECK-LABEL: plan of split.later.omp_outlined
// CHECK-NOT: copies of each thread
// CHECK: plan of
void later(double *w, double *y, int n, int d) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) {
      double s = 0;
      for (int j = 0; j < d; ++j)
        s += w[j] * w[j];
      y[i] = s;
    }
#pragma omp for
    for (int i = 0; i < d; ++i)
      w[i] = y[i] * y[i];
  }
}
// The loop within is as long as the number of the iteration.
// CHECK-LABEL: plan of split.triangle.omp_outlined
// CHECK-NOT: copies of each thread
// CHECK: plan of {{.*}}last
void triangle(const double *w, double *y, int n, int d) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < i; ++j)
      s += w[j] * w[j];
    y[i] = s;
  }
}
double last(double x) { return x * x; }
void gradients(double *w, double *dw, double *y, double *dy, const int *at,
               int n, int d) {
  __enzyme_autodiff((void *)weights, w, dw, y, dy, n, d);
  __enzyme_autodiff((void *)sum, w, dw, y, dy, n, d);
  __enzyme_autodiff((void *)nodes, w, dw, enzyme_const, at, n, d);
  __enzyme_autodiff((void *)of_neighbours, w, dw, n);
  __enzyme_autodiff((void *)in_place, w, dw, y, dy, n);
  __enzyme_autodiff((void *)beside, w, dw, enzyme_const, at, n, d);
  __enzyme_autodiff((void *)sometimes, w, dw, y, dy, n, d);
  __enzyme_autodiff((void *)until, w, dw, y, dy, n, d);
  __enzyme_autodiff((void *)later, w, dw, y, dy, n, d);
  __enzyme_autodiff((void *)triangle, w, dw, y, dy, n, d);
}
double end(double x) {
  extern double __enzyme_autodiff_d(void *, ...);
  return __enzyme_autodiff_d((void *)last, x);
}
