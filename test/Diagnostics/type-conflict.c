// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same bytes as float and as double, where the gradient depends on both.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

double f(void *p) {
  // CHECK: type-conflict.c:[[#@LINE+1]]:{{[0-9]+}}: error: the memory behind {{.*}}'p' is used with contradicting types: Float@{{float|double}} and Float@{{float|double}}
  return *(float *)p * *(double *)p;
}
// CHECK: in the derivative that '__enzyme_autodiff' asks for
// CHECK: to fix: make both accesses use one type

void gradient(void *p, void *d) {
  __enzyme_autodiff((void *)f, enzyme_dup, p, d);
}
