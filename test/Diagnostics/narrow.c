// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be computed in a narrower format.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
typedef double Fn(double);
Fn *__enzyme_truncate_op_func(void *, ...);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_autodiff(void *, ...);

double elsewhere(double);
double f(double x) { return x * x; }
double calls(double x) {
  return elsewhere(x) + x; // CHECK-DAG: narrow.c:[[#@LINE]]:10: error: 'calls' cannot be given a narrower version: 'elsewhere', whose body is not visible here
}
double derives(double x) {
  return __enzyme_autodiff((void *)f, x); // CHECK-DAG: narrow.c:[[#@LINE]]:10: error: 'derives' cannot be given a narrower version: '__enzyme_autodiff' within it
}
Fn *pointer;
double indirect(double x) {
  return pointer(x); // CHECK-DAG: narrow.c:[[#@LINE]]:10: error: 'indirect' cannot be given a narrower version: a call through a function pointer
}

typedef int Comparison(const void *, const void *);
Comparison *by;
void qsort(void *, unsigned long, unsigned long, Comparison *);
double sorts(double x) {
  double y[2] = {x, 1};
  qsort(y, 2, sizeof x, by); // CHECK-DAG: narrow.c:[[#@LINE]]:3: error: 'sorts' cannot be given a narrower version: a call through a function pointer
  return y[0];
}

double use(double x, int to, Fn *unknown) {
  // CHECK-DAG: to fix: define it in this file
  x += __enzyme_truncate_op_func((void *)calls, 64, 32)(x);
  x += __enzyme_truncate_op_func((void *)derives, 64, 32)(x);
  x += __enzyme_truncate_op_func((void *)indirect, 64, 32)(x);
  x += __enzyme_truncate_op_func((void *)sorts, 64, 32)(x);
  // CHECK-DAG: narrow.c:[[#@LINE+1]]:8: error: 'elsewhere' cannot be given a narrower version: its body is not visible here
  x += __enzyme_truncate_op_func((void *)elsewhere, 64, 32)(x);
  // CHECK-DAG: narrow.c:[[#@LINE+1]]:8: error: '__enzyme_truncate_op_func' cannot be given a narrower version: the function is not known at compile time
  x += __enzyme_truncate_op_func((void *)unknown, 64, 32)(x);
  // CHECK-DAG: narrow.c:[[#@LINE+1]]:8: error: '__enzyme_truncate_op_func': it is not narrower than 32 bits
  x += __enzyme_truncate_op_func((void *)f, 32, 64)(x);
  // CHECK-DAG: narrow.c:[[#@LINE+1]]:8: error: '__enzyme_truncate_op_func': exponent and significand of 12 and 5 bits are not within 2 to 11 and 1 to 52
  x += __enzyme_truncate_op_func((void *)f, 64, 12, 5)(x);
  // CHECK-DAG: narrow.c:[[#@LINE+1]]:8: error: '__enzyme_truncate_op_func': no floats of 48 bits can be narrowed
  x += __enzyme_truncate_op_func((void *)f, 48, 32)(x);
  // CHECK-DAG: narrow.c:[[#@LINE+1]]:8: error: '__enzyme_truncate_mem_value': operand 2 is not known at compile time
  x += __enzyme_truncate_mem_value(x, 64, to);
  return x;
}
// CHECK: 10 errors generated
