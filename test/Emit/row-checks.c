// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that may overlap are compared before each row of a reverse nest, for
// a comparison of all rows at once would want them to ascend. See
// OuterRecurrence.h.
//
// RUN: %clang -O3 -mavx2 -fno-discard-value-names %adze -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double distance(int n, int m, const double *a, const double *b) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      s += (a[i * m + j] - b[i * m + j]) * (a[i * m + j] - b[i * m + j]);
  return s;
}

// CHECK-LABEL: define {{.*}} @adze.grad.distance(
// CHECK: row = freeze
// CHECK: vector.memcheck:
// CHECK-NOT: stride.check
// CHECK: store <4 x double>
// CHECK: {{^}}}
void gradient(int n, int m, double *a, double *da, double *b, double *db) {
  __enzyme_autodiff((void *)distance, enzyme_const, n, enzyme_const, m, enzyme_dup, a, da,
                    enzyme_dup, b, db);
}
