// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error ends the compilation: no object, no crash, a status that says so.
//
// RUN: rm -f %t.o
// RUN: not %clang -O2 %adze -I%include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not test -e %t.o
// RUN: not %clang -O0 %adze -I%include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not test -e %t.o
// RUN: not %clang -O2 -flto=thin %adze -I%include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not test -e %t.o
//
// RUN: %clang -O2 -I%include -S -emit-llvm %s -o %t.ll
// RUN: not %adze-opt %t.ll -o %t.out.ll 2>&1 | FileCheck %s
// RUN: not test -e %t.out.ll
//
// CHECK: error: {{.*}}elsewhere
// CHECK-NOT: PLEASE submit a bug report
#include <adze/adze.h>

double __enzyme_autodiff(void *, ...);
double elsewhere(double);
static double f(double x) { return elsewhere(x) * x; }
double gradient(double x) { return __enzyme_autodiff((void *)f, x); }
