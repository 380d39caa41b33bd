// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimizer counts bytes where the program counts floats. Bits of the index
// tell that these are elements of an array all the same: nothing is marked.
//
// RUN: %clang -O2 -w %adze -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: adze.placed
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static float at(const float *f, int k) { return f[k == 0 ? 0 : ((k - 1) ^ 1) + 1]; }

static float sum(const float *f, const int *n) {
  float r = 0;
  for (int i = 0; i < *n; ++i) {
    float each[19];
    for (int q = 0; q < 19; ++q)
      each[q] = at(f + 19 * i, q);
    for (int q = 0; q < 19; ++q)
      r += each[q] * each[(q + i) % 19];
  }
  return r;
}

void gradient(const float *f, float *df, const int *n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, f, df, enzyme_const, n);
}
