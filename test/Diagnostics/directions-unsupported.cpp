// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several directions do not go through.
//
// RUN: not %clangxx -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern "C" {
extern int enzyme_width, enzyme_dupv, enzyme_const;
void adze_checkpoint(int states, ...);
struct pair {
  double a, b;
};
pair __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);
}

static void thrower(double *x) { throw x[0]; }
static void caught(double *x, double *y) {
  try {
    thrower(x);
  } catch (double e) {
    *y = e * e;
  }
}
// CHECK: error: cannot carry several directions (enzyme_width) through this: an exception that holds active data
// CHECK: to fix: call the marker once for each direction, without enzyme_width
void exceptions(double *x, double *y, double *d) {
  __enzyme_autodiff((void *)caught, enzyme_width, 2, enzyme_dupv, 8, x, d,
                    enzyme_dupv, 8, y, d + 2);
}

static void steps(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    adze_checkpoint(3, u, sizeof *u);
    *u = *u * *u * 0.5;
  }
}
// CHECK: error: cannot carry several directions (enzyme_width) through this: a loop with adze_checkpoint, going back
void checkpoints(double *u, double *d) {
  __enzyme_autodiff((void *)steps, enzyme_width, 2, enzyme_dupv, 8, u, d,
                    enzyme_const, 10);
}

static void square(double *x) { *x *= *x; }
static void square_forward(double *x, double *dx) {
  *dx *= 2 * *x;
  *x *= *x;
}
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_forward};
static double outer(double x) {
  square(&x);
  return x;
}
// CHECK: error: cannot use the derivatives that are registered for 'square{{.*}}': they would be called once for each direction (enzyme_width), and the function may write memory that it reads
// CHECK: to fix: call the marker once for each direction, or return the result by value
pair given(double x) {
  return __enzyme_fwddiff((void *)outer, enzyme_width, 2, x, 1.0, 2.0);
}
