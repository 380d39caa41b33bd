// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with too many results to start from, and markers whose type cannot
// hold the derivative.
//
// RUN: not %clang --target=x86_64-unknown-linux-gnu -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang --target=x86_64-unknown-linux-gnu -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
int __enzyme_autodiff_int(void *, ...);

struct Pair {
  double a, b;
} to_pair(double x) {
  return (struct Pair){x, x * x};
}
double square(double x) { return x * x; }
double product(double x, double y) { return x * y; }
double of_array(const double *p) { return p[0] * p[0]; }

// CHECK: results.c:[[#@LINE+3]]:10: error: reverse mode needs one floating-point result to start from, and 'to_pair' returns a structure of 16 bytes with several of them
// CHECK: to fix: pass its adjoint, a value of the type that it returns, after the arguments, or say enzyme_noret
double several(double x) {
  return __enzyme_autodiff((void *)to_pair, x);
}

// CHECK: results.c:[[#@LINE+3]]:10: error: the derivative returns double, and '__enzyme_autodiff' is declared to return an integer of 32 bits
// CHECK: to fix: declare the marker with the type of the derivative's result
double wrong_type(double x) {
  return __enzyme_autodiff_int((void *)square, x);
}

// CHECK: results.c:[[#@LINE+2]]:10: error: the derivative returns {double, double}, and '__enzyme_autodiff' is declared to return double
double too_small(double x, double y) {
  return __enzyme_autodiff((void *)product, x, y);
}

// CHECK: results.c:[[#@LINE+2]]:10: error: the derivative returns nothing, and '__enzyme_autodiff' is declared to return double
double nothing(double *p, double *d) {
  return __enzyme_autodiff((void *)of_array, p, d);
}

// Not looked at, any type will do.
void unused(double *p, double *d) {
  __enzyme_autodiff((void *)of_array, p, d);
}

// CHECK: results.c:[[#@LINE+2]]:10: error: wrong number of arguments for 'to_pair': it takes 1 parameter, then the adjoint of its result (a structure of 16 bytes), and 2 values are passed
double by_address(double x, struct Pair *adjoint) {
  return __enzyme_autodiff((void *)to_pair, x, adjoint);
}
// CHECK: 5 errors generated
