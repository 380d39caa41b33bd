// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library function gets a body around it; what is not known of it is the
// business of later stages. The body is gone at the end.
//
// RUN: %clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=frontend %t.ll | FileCheck %s
// RUN: %adze-opt %t.ll -o - | FileCheck %s --check-prefix=DONE
double tanh(double);
double __enzyme_autodiff(void *, ...);

// CHECK: reverse of 'adze.call.tanh'
// CHECK-NEXT: arg 0: double out
// DONE-NOT: @adze.call
double slope(double x) { return __enzyme_autodiff((void *)tanh, x); }
