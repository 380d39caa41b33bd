// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A jump back into a function would leave frames whose values are needed.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <setjmp.h>
double __enzyme_autodiff(void *, ...);

static jmp_buf back;
__attribute__((noinline)) static double root(double x) {
  if (x < 0)
    longjmp(back, 1);
  return x * x;
}
double tried(double x) {
  // CHECK: setjmp.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate a function that calls '_setjmp'
  if (setjmp(back))
    return 2 * x;
  return root(x) * x;
}
// CHECK: in the derivative that '__enzyme_autodiff' asks for at {{.*}}setjmp.c:[[#@LINE+2]]:{{[0-9]+}} in 'main'
// CHECK: to fix: return a status, throw and catch an exception of C++
int main(void) { return __enzyme_autodiff((void *)tried, 2.0) != 0; }
