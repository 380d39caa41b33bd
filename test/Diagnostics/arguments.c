// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong numbers and types of arguments, and tags without their values.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
extern int enzyme_const, enzyme_dup, enzyme_out;
double __enzyme_autodiff(void *, ...);

double f(double x, double *p, int n) { return x * p[n]; }

// CHECK-DAG: arguments.c:[[#@LINE+3]]:10: error: wrong number of arguments for 'f': it takes 3 parameters (4 values with the shadows of pointers), and 3 values are passed
// CHECK-DAG: to fix: pass each parameter's value in order, with its shadow after it where it has one; the parameters are (double, a pointer, an integer of 32 bits)
double too_few(double x, double *p, double *d) {
  return __enzyme_autodiff((void *)f, x, p, d);
}

// CHECK-DAG: arguments.c:[[#@LINE+2]]:10: error: wrong number of arguments for 'f': {{.*}}, and 6 values are passed
double too_many(double x, double *p, double *d) {
  return __enzyme_autodiff((void *)f, x, p, d, 3, 4, 5);
}

// CHECK-DAG: arguments.c:[[#@LINE+3]]:10: error: 'enzyme_const' is not followed by a value
// CHECK-DAG: to fix: write the tag, then the value
double tag_at_end(double x, double *p, double *d) {
  return __enzyme_autodiff((void *)f, x, p, d, enzyme_const);
}

// CHECK-DAG: arguments.c:[[#@LINE+3]]:10: error: 'enzyme_dup' is not followed by a shadow
// CHECK-DAG: to fix: write the tag, then the value and its shadow
double tag_without_shadow(double x, double *p) {
  return __enzyme_autodiff((void *)f, x, enzyme_dup, p, enzyme_const, 3);
}

// CHECK-DAG: arguments.c:[[#@LINE+2]]:10: error: argument 1 ('x') of 'f' has the wrong type: double was expected, a pointer is passed
double wrong_type(double *p, double *d) {
  return __enzyme_autodiff((void *)f, p, p, d, 3);
}

// CHECK-DAG: arguments.c:[[#@LINE+2]]:10: error: the shadow of argument 2 ('p') of 'f' has the wrong type: a pointer was expected, double is passed
double wrong_shadow(double x, double *p) {
  return __enzyme_autodiff((void *)f, x, p, x, 3);
}

// All of them, not only the first.
// CHECK: 6 errors generated
// PLAIN: arguments.c:13:8: error: wrong number of arguments for 'f'
// PLAIN: in the derivative that '__enzyme_autodiff' asks for in 'too_few'
// PLAIN: argument 1 of 'f' has the wrong type
// PLAIN: 6 errors generated
