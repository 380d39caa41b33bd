// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of __enzyme_batch that cannot be understood.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_width, enzyme_vector, enzyme_scalar, enzyme_buffer, enzyme_dup;
struct pair {
  double a, b;
};
struct pair __enzyme_batch(void *, ...);
double product(double x, double y) { return x * y; }
double area(struct pair p, double s) { return p.a * p.b * s; }
int printf(const char *, ...);

void use(double x, int n, double (*unknown)(double)) {
  struct pair r[8];
  // CHECK-DAG: batches.c:[[#@LINE+2]]:10: error: '__enzyme_batch' cannot be used like this: 3 values are passed, and they do not fit the parameters of 'product' 2 times
  // CHECK-DAG: to fix: after enzyme_vector write one value for each set, after enzyme_scalar one
  r[0] = __enzyme_batch((void *)product, enzyme_width, 2, enzyme_vector, x, x, enzyme_vector, x);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: the number of sets is not known at compile time, or not between 1 and 1048576
  r[1] = __enzyme_batch((void *)product, enzyme_width, n, enzyme_scalar, x, enzyme_scalar, x);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: no number follows 'enzyme_buffer'
  r[2] = __enzyme_batch((void *)product, enzyme_width, 2, enzyme_scalar, x, enzyme_buffer, &x);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: 'enzyme_dup' has no meaning here
  r[3] = __enzyme_batch((void *)product, enzyme_width, 2, enzyme_dup, x, x, enzyme_scalar, x);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: no value follows a tag
  r[4] = __enzyme_batch((void *)product, enzyme_width, 2, enzyme_scalar, x, enzyme_scalar);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: its first argument is no function that is known at compile time
  r[5] = __enzyme_batch((void *)unknown, enzyme_width, 2, enzyme_vector, x, x);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: 'printf' takes a variable number of arguments
  r[6] = __enzyme_batch((void *)printf, enzyme_width, 2, enzyme_scalar, "");
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: the derivative returns {double, double, double}, and '__enzyme_batch' is declared to return a structure of 16 bytes
  r[7] = __enzyme_batch((void *)product, enzyme_width, 3, enzyme_scalar, x, enzyme_scalar, x);
  // CHECK-DAG: batches.c:[[#@LINE+1]]:10: error: '__enzyme_batch' cannot be used like this: several assignments of its values to the parameters of 'area' are possible
  r[0] = __enzyme_batch((void *)area, enzyme_width, 2, r[1], r[2], x, x);
  for (int i = 0; i < 8; ++i)
    printf("%g %g\n", r[i].a, r[i].b);
}
