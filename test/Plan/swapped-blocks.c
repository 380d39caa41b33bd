// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that may be null, as those of vectors without elements are, change
// places in each step. They are two blocks, so a step that writes to one leaves
// the other as it is: one copy of it is kept. Where they may be one block in
// front of the loop, what is read may be overwritten by the step itself.
//
// RUN: %clang -I%srcroot/include -O1 -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o - | %adze-opt --stop-after=plan | FileCheck %s
#include "adze/adze.h"

#include <stdlib.h>

extern void __enzyme_autodiff(void *, ...);

static double steps(const double *x, int n, double *u, double *next) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    u[i] = next[i] = x[i];
  for (int t = 0; t < 60; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = u[i] + u[i] * u[i] * (u[i - 1] + u[i + 1]);
    double *swap = u;
    u = next;
    next = swap;
  }
  for (int i = 0; i < n; i++)
    sum += u[i] * u[i];
  return sum;
}

// CHECK-LABEL: plan of rev.two_blocks.
// CHECK: tape
// CHECK: a copy of double
// CHECK: bytes: {{[0-9]+}} + 8 [{{[^]]*}}]{{$}}
static double two_blocks(const double *x, int n) {
  double *u = 0, *next = 0;
  if (n) {
    u = malloc(sizeof(double) * (size_t)n);
    next = malloc(sizeof(double) * (size_t)n);
  }
  double sum = steps(x, n, u, next);
  free(u);
  free(next);
  return sum;
}

// CHECK-LABEL: plan of rev.maybe_one.
// CHECK: tape
// CHECK-NOT: a copy of
// CHECK: bytes:
static double maybe_one(const double *x, int n, int one) {
  double *u = 0, *next = 0, *other = 0;
  if (n) {
    u = malloc(sizeof(double) * (size_t)n);
    other = malloc(sizeof(double) * (size_t)n);
    next = one ? u : other;
  }
  double sum = steps(x, n, u, next);
  free(u);
  free(other);
  return sum;
}

void gradients(const double *x, double *dx, int n, int one) {
  __enzyme_autodiff((void *)two_blocks, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)maybe_one, enzyme_dup, x, dx, n, one);
}
