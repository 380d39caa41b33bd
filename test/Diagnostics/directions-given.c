// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with registered derivatives that writes memory is called once for
// each direction. What it has done is undone, but not everything can be.
//
// RUN: not %clang -O1 %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O1 %adze -DFINE %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck --check-prefix=STOP %s
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_width, enzyme_dupv;
void __enzyme_autodiff(void *, ...);

#ifdef FINE
// STOP: adze: a function with registered derivatives that writes memory keeps or frees blocks
static int *seen;
__attribute__((noinline)) static void keeps(double *x) {
  seen = malloc(sizeof *seen);
  *seen = 1;
  *x *= 2;
}
static void augmented(double *x, double *dx) { keeps(x); }
static void reversed(double *x, double *dx) { *dx *= 2; }
void *__enzyme_register_gradient_keeps[] = {(void *)keeps, (void *)augmented,
                                            (void *)reversed};
static void program(double *x) { keeps(x); }
int main() {
  double x[2] = {1, 2}, dx[3][2] = {{0, 1}, {0, 1}, {0, 1}};
  __enzyme_autodiff((void *)program, enzyme_width, 3, enzyme_dupv, 16, x, dx);
}
#else
__attribute__((noinline)) static void says(double *x) {
  printf("%g\n", *x);
  *x *= 2;
}
static void augmented(double *x, double *dx) { says(x); }
static void reversed(double *x, double *dx) { *dx *= 2; }
void *__enzyme_register_gradient_says[] = {(void *)says, (void *)augmented,
                                           (void *)reversed};
static void speaks(double *x) { says(x); }
// CHECK: error: cannot use the derivatives that are registered for 'says': they would be called once for each direction (enzyme_width), and the function may write memory that it reads, and it calls 'printf'
// CHECK: to fix: call the marker once for each direction
void speaking(double *x, double *dx) {
  __enzyme_autodiff((void *)speaks, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

void hidden(double *x);
void augmentedHidden(double *x, double *dx);
void reversedHidden(double *x, double *dx);
void *__enzyme_register_gradient_hidden[] = {
    (void *)hidden, (void *)augmentedHidden, (void *)reversedHidden};
static void hides(double *x) { hidden(x); }
// CHECK: error: cannot use the derivatives that are registered for 'hidden': they would be called once for each direction (enzyme_width), and the function may write memory that it reads{{$}}
void hiding(double *x, double *dx) {
  __enzyme_autodiff((void *)hides, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}
#endif
