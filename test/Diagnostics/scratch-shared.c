// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work space that is called constant has no shadow of its own where the
// function reaches it by its name as well.
//
// RUN: not %clang -O1 %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double work[8];

// CHECK: error: active data reaches memory {{.*}}: argument 3 of 'named'
double named(const double *x, int n, double *a) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    sum += work[i] * x[i] + a[i];
  return sum;
}

void gradient(const double *x, double *dx) {
  __enzyme_autodiff((void *)named, enzyme_dup, x, dx, enzyme_const, 4,
                    enzyme_const, work);
}
// CHECK: 1 error generated
