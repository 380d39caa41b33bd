// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of an array is told as such, with its size and what makes it
// necessary; and what was loaded from the array is not said to be lost.
//
// RUN: %clang -O2 -g %adze -c %s -o %t.o -Rpass=adze -Rpass-missed=adze
// -Rpass-analysis=adze 2>&1 | FileCheck %s --implicit-check-not=adze.snapshot
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

double waves(double *restrict u, double *restrict next, int n, int rounds) {
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < n; ++i)
      next[i] = u[i] * u[i + 1] + u[i + 1] * u[i + 2] + u[i + 2] * u[i];
    for (int i = 0; i < n; ++i)
      u[i] += next[i];
  }
  return u[1];
}
// CHECK: copies.c:13:{{[0-9]+}}: remark: the gradient of 'waves' keeps a copy of 'u': 8 bytes per iteration of the loop at line 12, 8 * rounds * n in all; 'u' may be overwritten by the store to 'u' at line 15 [
// CHECK: copies.c:13:{{[0-9]+}}: remark: the reverse pass {{.*}} computes again instead of keeping: {{.*}}the value loaded from 'u'
// CHECK: the gradient of 'waves' needs a tape of 8 * rounds * n + rounds bytes

void gradient(double *u, double *du, double *next, double *dnext, int n,
              int rounds) {
  __enzyme_autodiff((void *)waves, u, du, next, dnext, enzyme_const, n,
                    enzyme_const, rounds);
}
