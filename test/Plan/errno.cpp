// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A root may set errno, for all that the optimizer knows: where the container
// keeps its pointer, say. So it reads the pointer again after each root, in a
// loop. Derivatives know better, and nothing is kept of where the elements are.
//
// RUN: %clangxx -O2 -fno-discard-value-names -fno-unroll-loops -emit-llvm -S %s -o %t -w
// RUN: %plan %t | FileCheck %s
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

struct numbers {
  double *begin, *end;
};

extern "C" double factorize(numbers &a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      double sum = a.begin[i * n + j];
      for (long k = 0; k < j; k++)
        sum -= a.begin[i * n + k] * a.begin[j * n + k];
      a.begin[i * n + j] =
          j < i ? sum / a.begin[j * n + j] : __builtin_sqrt(sum);
    }
  return a.begin[0];
}
// CHECK-LABEL: plan of rev.factorize.
// CHECK: bytes: {{[0-9]+}}{{$}}
void of(numbers *a, long n) {
  __enzyme_autodiff((void *)factorize, enzyme_dup, a, a + 1, enzyme_const, n);
}
