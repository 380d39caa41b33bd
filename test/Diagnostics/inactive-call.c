// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of __enzyme_call_inactive that do not fit the function.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_call_inactive(void *, ...);
int count(double x) { return x > 0; }
const char *name(void) { return ""; }
double plain(double x) { return x; }

// CHECK-DAG: inactive-call.c:[[#@LINE+2]]:10: error: 'count' returns an integer of 32 bits, and '__enzyme_call_inactive' is declared to return double
double integer(double x) {
  return __enzyme_call_inactive((void *)count, x);
}
// CHECK-DAG: to fix: declare a marker for it with the function's own result type
// CHECK-DAG: inactive-call.c:[[#@LINE+2]]:10: error: 'name' returns a pointer, and
double pointer(void) {
  return __enzyme_call_inactive((void *)name);
}
// CHECK-DAG: inactive-call.c:[[#@LINE+2]]:10: error: wrong number of arguments for 'plain'
double number(double x) {
  return __enzyme_call_inactive((void *)plain, x, x);
}
// CHECK-DAG: inactive-call.c:[[#@LINE+2]]:10: error: the function to differentiate is not known at compile time
double unknown(double (*f)(double), double x) {
  return __enzyme_call_inactive((void *)f, x);
}
// A result that is not used may have any type.
void unused(double x) { __enzyme_call_inactive((void *)count, x); }
