// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public header in C and C++; a file that includes it and has no marker is
// compiled to the same object with the plugin.
//
// RUN: %clang -std=c99 -pedantic -Wall -Wextra -Werror -I%include -O1 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clangxx -x c++ -std=c++17 -Wall -Wextra -Werror -I%include -O1 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang -I%include -O2 -DNONE -c %s -o %t.1.o
// RUN: %clang -I%include -O2 -DNONE %adze -c %s -o %t.2.o
// RUN: cmp %t.1.o %t.2.o
#include <adze/adze.h>
#ifdef __cplusplus
extern "C" {
#endif
void __enzyme_autodiff(void *, ...);

double f(const double *x, double *y, double z) { return y[0] = x[0] * z; }

#ifndef NONE
// CHECK: arg 0: ptr dup = {{.*}}, shadow
// CHECK-NEXT: arg 1: ptr dupnoneed = {{.*}}, shadow
// CHECK-NEXT: arg 2: double out
// CHECK-NEXT: return: double const, primal too
void gradient(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_noret, enzyme_dup,
                    x, dx, enzyme_dupnoneed, y, dy, enzyme_out, 2.0);
}
#endif
#ifdef __cplusplus
}
#endif
