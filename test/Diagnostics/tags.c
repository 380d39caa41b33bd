// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags that contradict the types of their arguments, and tags of later times.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_vector;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double f(double x, double *p, int n) { return x * p[n]; }

// CHECK: tags.c:[[#@LINE+3]]:10: error: 'enzyme_out' contradicts argument 2 ('p') of 'f': it is a pointer, whose derivatives go to memory
// CHECK: to fix: use enzyme_dup, with the address of that memory after it
double out_pointer(double x, double *p) {
  return __enzyme_autodiff((void *)f, x, enzyme_out, p, 3);
}

// CHECK: tags.c:[[#@LINE+3]]:10: error: 'enzyme_dup' contradicts argument 1 ('x') of 'f': it is passed by value, and in reverse mode its derivative is returned
// CHECK: to fix: use enzyme_out, without a shadow
double dup_float(double x, double *p, double *d) {
  return __enzyme_autodiff((void *)f, enzyme_dup, x, 1.0, p, d, 3);
}

// CHECK: tags.c:[[#@LINE+3]]:10: error: 'enzyme_dup' contradicts argument 3 ('n') of 'f': it is an integer
// CHECK: to fix: use enzyme_const, without a shadow
double dup_integer(double x, double *p, double *d) {
  return __enzyme_autodiff((void *)f, x, p, d, enzyme_dup, 3, 4);
}

// CHECK: tags.c:[[#@LINE+3]]:10: error: 'enzyme_out' contradicts argument 1 ('x') of 'f': nothing is returned for an argument in forward mode
// CHECK: to fix: use enzyme_dup, with the argument's tangent after it
double out_forward(double x, double *p, double *d) {
  return __enzyme_fwddiff((void *)f, enzyme_out, x, p, d, 3);
}

// CHECK: tags.c:[[#@LINE+2]]:10: error: 'enzyme_vector' is not supported yet
double vector(double x, double *p, double *d) {
  return __enzyme_fwddiff((void *)f, enzyme_vector, x, 1.0, p, d, 3);
}
// CHECK: 5 errors generated
