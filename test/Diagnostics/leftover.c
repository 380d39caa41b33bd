// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would be left for the linker: markers that are not called, not known,
// or not supported; and registrations that would be ignored.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
typedef double Marker(void *, ...);
Marker __enzyme_autodiff, __enzyme_fwddiff, __enzyme_autodif;

double f(double x) { return x * x; }

// CHECK-DAG: error: '__enzyme_autodiff' is used in a way that cannot be replaced: its address is taken
Marker *table[] = {__enzyme_autodiff};

// CHECK-DAG: leftover.c:[[#@LINE+2]]:3: error: '__enzyme_fwddiff' is used in a way that cannot be replaced: its address is taken
Marker *escapes(void) {
  return __enzyme_fwddiff;
}

// CHECK-DAG: leftover.c:[[#@LINE+3]]:10: error: '__enzyme_autodif' is not supported yet
// CHECK-DAG: to fix: use __enzyme_autodiff (reverse mode) or __enzyme_fwddiff (forward mode)
double misspelled(double x) {
  return __enzyme_autodif((void *)f, x);
}

// CHECK-DAG: error: '__enzyme_register_f' ({{.*}}leftover.c:[[#@LINE+1]]) is not supported yet
void *__enzyme_register_f[] = {(void *)f, "0"};
// CHECK: 4 errors generated
