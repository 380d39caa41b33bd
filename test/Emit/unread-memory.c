// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a region or a callee with a tape writes for its caller is not computed
// if nobody reads it.
//
// RUN: %clang -O1 -fno-math-errno -fopenmp -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=cleanup %t.ll | FileCheck %s
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
int enzyme_primal_return, enzyme_dup;
void show(double *);
void *__enzyme_inactivefn[] = {(void *)show};

// Neither the sum nor the turns of the threads are left.
// CHECK-LABEL: define internal void @adze.aug.squares.
// CHECK-NOT: {{fmul|fadd|turn|x double}}
// CHECK: {{^}}}
static double squares(const double *x, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
void of_squares(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)squares, x, dx, n);
}

// The reverse pass needs it.
// CHECK-LABEL: define internal void @adze.aug.needed.
// CHECK: turn.begin
// CHECK: {{^}}}
static double needed(const double *x, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum * sum;
}
void of_needed(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)needed, x, dx, n);
}

// One of two: the turn stays.
// CHECK-LABEL: define internal void @adze.aug.both.
// CHECK-NOT: @{{(llvm\.)?}}cos
// CHECK: turn.begin
// CHECK-NOT: @{{(llvm\.)?}}cos
// CHECK: {{^}}}
double cos(double);
static double both(const double *x, int n) {
  double sum = 0, other = 0;
#pragma omp parallel for reduction(+ : sum, other)
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[i];
    other += cos(x[i]);
  }
  return sum * sum + other;
}
void of_both(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)both, x, dx, n);
}

// The caller asks for it.
// CHECK-LABEL: define internal void @adze.aug.returned.
// CHECK: turn.begin
// CHECK: {{^}}}
static double returned(const double *x, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
double __enzyme_autodiff_value(void *, ...);
double of_returned(double *x, double *dx, int n) {
  return __enzyme_autodiff_value((void *)returned, enzyme_primal_return, x, dx,
                                 n);
}

// Memory of the program.
// CHECK-LABEL: define internal void @adze.aug.given.
// CHECK: turn.begin
// CHECK: {{^}}}
static void given(const double *x, double *to, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  *to = sum;
}
void of_given(double *x, double *dx, double *to, double *dto, int n) {
  __enzyme_autodiff((void *)given, x, dx, to, dto, n);
}

// A function without derivative looks at it.
// CHECK-LABEL: define internal void @adze.aug.shown.
// CHECK: turn.begin
// CHECK: {{^}}}
static double shown(const double *x, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  show(&sum);
  return sum;
}
void of_shown(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)shown, x, dx, n);
}

// Blocks: the elements of the second are not needed, those of the first are.
// CHECK-LABEL: define internal void @adze.aug.blocks.
// CHECK: fmul
// CHECK: store double
// CHECK-NOT: @{{(llvm\.)?}}cos
// CHECK: {{^}}}
static double blocks(const double *x, int n) {
  double *y = malloc(sizeof(double) * n), *z = malloc(sizeof(double) * n);
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    z[i] = cos(x[i]);
  }
  for (int i = 0; i < n; ++i)
    sum += y[i] * y[i] + z[i];
  free(y);
  free(z);
  return sum;
}
void of_blocks(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)blocks, x, dx, n);
}
