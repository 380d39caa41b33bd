// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same bytes as float and as double, where the gradient depends on both: one
// message, whichever access is looked at.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

double f(void *p) {
  // CHECK: type-conflict.c:[[#@LINE+3]]:10: error: the memory behind 'p' is used with contradicting types: float and double
  // CHECK-NEXT: used as float here ({{.*}}type-conflict.c:[[#@LINE+2]]:10)
  // CHECK-NEXT: used as double here ({{.*}}type-conflict.c:[[#@LINE+1]]:24)
  return *(float *)p * *(double *)p;
}
// CHECK: in the derivative that '__enzyme_autodiff' asks for
// CHECK: to fix: make both accesses use one type
// CHECK: 1 error generated

void gradient(void *p, void *d) {
  __enzyme_autodiff((void *)f, enzyme_dup, p, d);
}
