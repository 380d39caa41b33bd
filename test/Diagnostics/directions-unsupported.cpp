// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several directions do not go through.
//
// RUN: not %clangxx -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern "C" {
extern int enzyme_width;
struct pair {
  double a, b;
};
pair __enzyme_fwddiff(void *, ...);
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
