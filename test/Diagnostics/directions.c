// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with a number of directions, and with their shadows.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -DHALVES -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HALVES
extern int enzyme_width, enzyme_dup, enzyme_dupv;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

double f(double x, double y) { return x * y; }
double g(double *x) { return x[0] * x[1]; }

#ifndef HALVES

// CHECK: directions.c:[[#@LINE+3]]:10: error: 'enzyme_width' is not followed by a number of directions that can be carried: it is 0
// CHECK: to fix: write a constant from 1 to 64
double zero(double x) {
  return __enzyme_fwddiff((void *)f, enzyme_width, 0, x, 1.0, x, 1.0);
}

// CHECK: directions.c:[[#@LINE+2]]:10: error: 'enzyme_width' is not followed by a number of directions that can be carried: it is 65
double many(double x) {
  return __enzyme_fwddiff((void *)f, enzyme_width, 65, x, 1.0, x, 1.0);
}

// CHECK: directions.c:[[#@LINE+2]]:10: error: 'enzyme_width' is not followed by a number of directions that can be carried: it is -1
double negative(double x) {
  return __enzyme_fwddiff((void *)f, enzyme_width, -1, x, 1.0, x, 1.0);
}

// CHECK: directions.c:[[#@LINE+2]]:10: error: 'enzyme_width' is not followed by a number of directions that can be carried: it is not known at compile time
double unknown(double x, int n) {
  return __enzyme_fwddiff((void *)f, enzyme_width, n, x, 1.0, x, 1.0);
}

// CHECK: directions.c:[[#@LINE+2]]:10: error: 'enzyme_width' is not followed by a number of directions that can be carried: it is said twice, as 2 and 3
double twice(double x) {
  return __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_width, 3, x, 1.0);
}

// CHECK: directions.c:[[#@LINE+2]]:10: error: 'enzyme_width' is not followed by a number of directions
double last(double x) {
  return __enzyme_fwddiff((void *)f, x, 1.0, x, 1.0, enzyme_width);
}

// CHECK: directions.c:[[#@LINE+2]]:3: error: 'enzyme_dup' is not followed by 3 shadows, only by 2
void missing(double *x, double *d) {
  __enzyme_autodiff_nothing((void *)g, enzyme_width, 3, enzyme_dup, x, d, d);
}

// CHECK: directions.c:[[#@LINE+2]]:3: error: wrong number of arguments for 'g': it takes 1 parameter, in 2 directions, and 4 values are passed
void too_many(double *x, double *d) {
  __enzyme_autodiff_nothing((void *)g, enzyme_width, 2, enzyme_dup, x, d, d, d);
}

// CHECK: directions.c:[[#@LINE+2]]:3: error: wrong number of arguments for 'f': it takes 2 parameters (6 values with the shadows of pointers and floats, each in 2 directions), and 4 values are passed
void untagged(double x) {
  __enzyme_fwddiff_nothing((void *)f, enzyme_width, 2, x, 1.0, x, 1.0);
}

// CHECK: directions.c:[[#@LINE+2]]:3: error: 'enzyme_dupv' is not followed by the bytes between two shadows
void no_stride(double *x, double *d) {
  __enzyme_autodiff_nothing((void *)g, enzyme_width, 2, enzyme_dupv, x, d);
}

// CHECK: directions.c:[[#@LINE+2]]:10: error: the derivative returns {double, double}, and '__enzyme_fwddiff' is declared to return double
double one_result(double x) {
  return __enzyme_fwddiff((void *)f, enzyme_width, 2, x, 1.0, 2.0, x, 1.0, 2.0);
}

#else
// HALVES: directions.c:[[#@LINE+3]]:3: error: '__enzyme_reverse' asks for another derivative of 'g' than the marker that makes the tape: enzyme_width is 3 here and 2 there
void halves(double *x, double *d) {
  void *tape = __enzyme_augmentfwd((void *)g, enzyme_width, 2, enzyme_dup, x, d, d + 2);
  __enzyme_reverse((void *)g, enzyme_width, 3, enzyme_dup, x, d, d + 2, d + 4, 1.0, 1.0, 1.0, tape);
}
#endif
// CHECK: 11 errors generated
