// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One method in several spellings, after the optimizer, which tests in two
// blocks whether there is another step, has seen them. Each step runs again, in
// copies of its work space.
//
// RUN: %clangxx -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=plan -adze-run-again=always %t.ll | FileCheck %s
#include <cmath>
#include <cstdlib>
#include <vector>
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#define R __restrict

static void rates(int n, const double *R s, double *R k) {
  for (int i = 0; i < n; i++)
    k[i] = std::sin(s[i]) * s[i] - 2.0 * s[i];
}
static double value(int n, const double *s) {
  double v = 0;
  for (int i = 0; i < n; i++)
    v += s[i] * s[i];
  return v;
}

// Functions, given work space, a constant count.
double helpers(int n, double *R s, double *R w) {
  double *k = w, *at = w + n;
  for (int t = 0; t < 20; t++) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  return value(n, s);
}

// Blocks of the heap.
double heap(int n, double *R s) {
  double *k = (double *)malloc(n * sizeof(double)),
         *at = (double *)malloc(n * sizeof(double));
  for (int t = 0; t < 20; t++) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  free(k);
  free(at);
  return value(n, s);
}

// Arrays on the stack.
double stack(int n, double *R s) {
  double k[1000], at[1000];
  for (int t = 0; t < 20; t++) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  return value(n, s);
}

// Vectors, which may be empty.
double vectors(int n, double *R s) {
  std::vector<double> k(n), at(n);
  for (int t = 0; t < 20; t++) {
    rates(n, s, k.data());
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at.data(), k.data());
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  return value(n, s);
}

// A while loop.
double whiles(int n, double end, double *R s, double *R w) {
  double *k = w, *at = w + n, t = 0;
  while (t < end) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
    t += 0.1;
  }
  return value(n, s);
}

// A count that the run knows.
double count(int n, int steps, double *R s, double *R w) {
  double *k = w, *at = w + n;
  for (int t = 0; t < steps; t++) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  return value(n, s);
}

void d(int n, double end, double *s, double *ds, double *w, double *dw) {
  __enzyme_autodiff((void *)helpers, enzyme_const, n, enzyme_dup, s, ds,
                    enzyme_dup, w, dw);
  __enzyme_autodiff((void *)heap, enzyme_const, n, enzyme_dup, s, ds);
  __enzyme_autodiff((void *)stack, enzyme_const, n, enzyme_dup, s, ds);
  __enzyme_autodiff((void *)vectors, enzyme_const, n, enzyme_dup, s, ds);
  __enzyme_autodiff((void *)whiles, enzyme_const, n, enzyme_const, end,
                    enzyme_dup, s, ds, enzyme_dup, w, dw);
  __enzyme_autodiff((void *)count, enzyme_const, n, enzyme_const, n, enzyme_dup,
                    s, ds, enzyme_dup, w, dw);
}

// CHECK-LABEL: plan of {{.*}}helpers
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %w
// CHECK-LABEL: plan of {{.*}}heap
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %{{.*}} %
// CHECK-LABEL: plan of {{.*}}stack
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %k %at
// CHECK-LABEL: plan of {{.*}}vectors
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %k{{.*}} %at
// CHECK-LABEL: plan of {{.*}}whiles
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %w
// CHECK-LABEL: plan of {{.*}}count
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %w
