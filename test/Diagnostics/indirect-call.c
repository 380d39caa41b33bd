// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call through a pointer that only the run knows.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

// CHECK: indirect-call.c:[[#@LINE+2]]:10: error: cannot differentiate a call through a function pointer that is not known at compile time
double apply(double (*g)(double), double x) {
  return g(x * x);
}
// CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for at {{.*}}indirect-call.c:[[#@LINE+3]]:10 in 'main'
// CHECK-NEXT: to fix: call the function directly
int main(int argc, char **argv) {
  return __enzyme_autodiff((void *)apply, enzyme_const, argv, 2.0) > argc;
}
