// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callees without a body: named, all of one request together, with the way out
// and the chain of calls. No object, exit status not zero.
//
// RUN: rm -f %t.o
// RUN: not %clang -O1 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// RUN: not %clang -O0 %adze -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not ls %t.o
double __enzyme_autodiff(void *, ...);
double first_unknown(double);
double second_unknown(double);

__attribute__((noinline)) static double inner(double x) {
  // CHECK: missing-body.c:[[#@LINE+3]]:{{[0-9]+}}: error: cannot differentiate 'first_unknown', 'second_unknown': the body is not visible here
  // CHECK-NEXT: 'first_unknown' is called at {{.*}}missing-body.c:[[#@LINE+2]]:10 in 'inner'
  // CHECK-NEXT: 'second_unknown' is called at {{.*}}missing-body.c:[[#@LINE+1]]:{{[0-9]+}} in 'inner'
  return first_unknown(x) + second_unknown(x * x);
}
// CHECK-NEXT: in 'inner', called at {{.*}}missing-body.c:[[#@LINE+1]]:33 by 'f'
double f(double x) { return x * inner(x); }

// CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for at {{.*}}missing-body.c:[[#@LINE+3]]:10 in 'main'
// CHECK-NEXT: to fix: define it in this file (static or inline in a header), or compile with -flto and give the plugin to the linker
int main(void) {
  return __enzyme_autodiff((void *)f, 3.0) != 0;
}
// CHECK: 1 error generated

// Without debug information: the function's declaration.
// PLAIN: missing-body.c:14:{{[0-9]+}}: error: cannot differentiate 'first_unknown', 'second_unknown'
// PLAIN: 'first_unknown' is called in 'inner'
// PLAIN: in the derivative that '__enzyme_autodiff' asks for in 'main'
