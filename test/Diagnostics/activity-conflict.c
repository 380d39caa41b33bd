// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active data stored where the user said there is none, in how much memory nobody knows.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup, places[];
double __enzyme_autodiff(void *, ...);

// One memory is passed twice.
double read_elsewhere(const double *x, double *to, const double *from, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    to[places[i]] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    sum += from[places[i]];
  return sum;
}
// CHECK: error: active data reaches memory that was declared inactive: arguments 2 and 3 of 'read_elsewhere' are the same memory, and one is written, the other read
void gradient_of_one(double *x, double *dx, double *scratch, int n) {
  __enzyme_autodiff((void *)read_elsewhere, enzyme_dup, x, dx, enzyme_const,
                    scratch, enzyme_const, scratch, n);
}

// CHECK: activity-conflict.c:[[#@LINE+4]]:{{[0-9]+}}: error: active data reaches memory that was declared inactive: {{.*}}'scratch'
double through_scratch(const double *x, double *scratch, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    scratch[places[i]] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    sum += scratch[places[i]];
  return sum;
}
// CHECK: in the derivative that '__enzyme_autodiff' asks for at {{.*}}activity-conflict.c:[[#@LINE+3]]:3 in 'gradient'
// CHECK: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it; if none passes through it when the program runs, say enzyme_runtime_activity before the arguments, or -mllvm -adze-runtime-activity: what is read
void gradient(double *x, double *dx, double *scratch, int n) {
  __enzyme_autodiff((void *)through_scratch, enzyme_dup, x, dx, enzyme_const,
                    scratch, n);
}
