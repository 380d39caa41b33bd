// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that only the marker named is gone behind the pass: LLVM would
// make vector code and unrolled loops of it, and drop it afterwards.
//
// RUN: %clang -O2 %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s

// CHECK: Running pass: {{.*}}AdzePass
// CHECK-NOT: LoopVectorizePass on square
// CHECK: LoopVectorizePass on {{gradient|adze.grad.square}}
// CHECK-NOT: LoopVectorizePass on square

static double square(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

extern void __enzyme_autodiff(void *, ...);

void gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)square, x, dx, n);
}
