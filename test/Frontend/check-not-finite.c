// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient that is not finite where the function is: -adze-check tells of it,
// though differences cannot, and -adze-trap-nan tells where. With -ffast-math, too.
// DEFINE: %{early} = -g -Xclang -load -Xclang %plugin %adze -lm
// RUN: %clang -O0 %{early} -mllvm -adze-check %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %{early} -mllvm -adze-check %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -ffast-math %{early} -mllvm -adze-check %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %{early} -mllvm -adze-trap-nan %s -o %t && %t 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %clang -O2 -ffast-math %{early} -mllvm -adze-trap-nan %s -o %t && %t 2>&1 | FileCheck --check-prefix=TRAP %s
#include <math.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

__attribute__((noinline)) static double root(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sqrt(x[i]);
  return s;
}

int main(int argc, char **argv) {
  double x[] = {4, 0, 1}, dx[] = {0, 0, 0};
  // CHECK: adze: {{.*}}check-not-finite.c:[[#@LINE+2]]:3: the gradient of 'root' is not finite, and the function is: to learn where, use -mllvm -adze-trap-nan
  // TRAP: adze: {{.*}}check-not-finite.c:[[#@LINE-7]]:10: the adjoint of operand 1 of '{{(llvm\.)?}}sqrt' in 'root' becomes infinite; the primal is finite
  __enzyme_autodiff((void *)root, x, dx, 3);
  dx[1] = 1;
  // CHECK: adze: {{.*}}check-not-finite.c:[[#@LINE+2]]:16: the tangents of 'root' are not finite, and the function is
  // CHECK-NOT: adze:
  return !(0 < __enzyme_fwddiff((void *)root, x, dx, 3)) && argc == 7;
}
