// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code has no derivative.
//
// RUN: not %clang --target=x86_64-unknown-linux-gnu -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang --target=x86_64-unknown-linux-gnu -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);

double doubled(double x) {
  double y = x;
  // CHECK: inline-asm.c:[[#@LINE+1]]:3: error: cannot differentiate inline assembly 'addsd $0, $0; addsd $0, $0'
  __asm__("addsd %0, %0; addsd %0, %0" : "+x"(y));
  return y * x;
}
// CHECK: in the derivative that '__enzyme_autodiff' asks for at {{.*}}inline-asm.c:[[#@LINE+2]]:{{[0-9]+}} in 'main'
// CHECK: to fix: replace it, or move it to a function that only touches inactive data
int main(void) { return __enzyme_autodiff((void *)doubled, 2.0) != 0; }
