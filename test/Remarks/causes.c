// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The causes that are not aliasing: updates in place, loops whose count is not
// known, branches, calls from outside, volatile memory.
//
// RUN: %clang -O2 -g -fno-math-errno %adze -c %s -o %t.o -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
void __enzyme_call_inactive(void *, ...);
extern int enzyme_const;
double sin(double);

double in_place(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i]; // line 14
    x[i] = s;         // line 15
  }
  return s;
}
// CHECK: causes.c:14:10: remark: the gradient of 'in_place' keeps the value loaded from 'x': 8 bytes per iteration of the loop at line 13, 8 * n in all; 'x' may be overwritten by the store to 'x' at line 15; to avoid this, write to another array than 'x', unless what is stored is read here again [-Rpass-missed=adze]
// CHECK: causes.c:11:1: remark: the gradient of 'in_place' needs a tape of 8 * n bytes

double newton(double a) {
  double x = a;
  while (x * x - a > 1e-12) // line 24
    x = 0.5 * (x + a / x);
  return x;
}
// CHECK: remark: the gradient of 'newton' keeps 'x': 8 bytes per iteration of the loop at line 24, 8 * (iterations of the loop at line 24) in all; each iteration computes it from the one before [-Rpass-missed=adze]
// CHECK: causes.c:22:1: remark: the gradient of 'newton' needs a tape of 8 * (iterations of the loop at line 24) bytes

double observed(const double *x, volatile double *gain, int n) {
  double s = 0;
  for (int i = 0; i < 2 * n + 1; ++i)
    s += sin(x[i]) * *gain; // line 34
  return s;
}
// CHECK: causes.c:34:22: remark: the gradient of 'observed' keeps '*gain': 8 bytes per iteration of the loop at line 33, 8 * max(2 * n + 1, 1) in all; it is volatile or atomic [-Rpass-missed=adze]

double triangle(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 9000; ++j) // line 42
      s = sin(s) * x[i];
  return s;
}
// CHECK: the gradient of 'triangle' keeps 's': 8 bytes per iteration of the loop at line 42, 72000 * n in all; each iteration computes it from the one before [-Rpass-missed=adze]

void log_state(double *x);
double logged(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];                             // line 52
    __enzyme_call_inactive((void *)log_state, x); // line 53
  }
  return s;
}
// CHECK: causes.c:52:10: remark: the gradient of 'logged' keeps the value loaded from 'x': 8 bytes per iteration of the loop at line 51, 8 * n in all; 'x' may be overwritten by the call of 'log_state' at line 53 [-Rpass-missed=adze]

// The array carries the state of a step to the next: no advice would help.
double steps(double *u, int n, int count) {
  for (int t = 0; t < count; ++t)
    for (int i = 1; i < n; ++i)
      u[i] = u[i] * u[i - 1]; // line 63
  return u[n - 1];
}
// CHECK: causes.c:63:14: remark: the gradient of 'steps' keeps the value loaded from 'u': 8 bytes per iteration of the loop at line 62, 8 * count * (n - 1) in all; 'u' may be overwritten by the store to 'u' at line 63 [-Rpass-missed=adze]

void go(double *x, double *dx, volatile double *gain, int n) {
  __enzyme_autodiff((void *)in_place, x, dx, n);
  __enzyme_autodiff((void *)newton, *x);
  __enzyme_autodiff((void *)observed, x, dx, enzyme_const, gain, n);
  __enzyme_autodiff((void *)triangle, x, dx, n);
  __enzyme_autodiff((void *)logged, x, dx, n);
  __enzyme_autodiff((void *)steps, x, dx, n, n);
}
