// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records that hold addresses of active data are moved byte by byte, not one
// after the other (that is a block copy). Forward mode moves tangents and
// addresses with them; the reverse pass would have to know which bytes are
// which, and the program stops.
// RUN: %clang -g -O0 %adze %s -o %t && %t 1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -g -O2 %adze %s -o %t && %t 1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=STOP %s
// STOP: adze: a part of an address is moved by itself
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

struct Pair {
  double factor;
  double *number;
};

__attribute__((noinline)) static void swap(void *a, void *b, size_t bytes) {
  char *p = (char *)a, *q = (char *)b;
  for (size_t k = 0; k < 2; ++k)
    for (size_t i = k; i < bytes; i += 2) {
      char t = p[i];
      p[i] = q[i];
      q[i] = t;
    }
}

static double swapped(double *x, int n) {
  struct Pair pairs[3], one = {3 * x[2], x};
  for (int i = 0; i < 3; ++i)
    pairs[i] = (struct Pair){2 * x[i], x + i};
  swap(&pairs[n], &one, sizeof one);
  return one.factor * *one.number + 10 * pairs[1].factor * *pairs[1].number;
}

int main(int argc, char **argv) {
  double x[3] = {1, 2, 3}, d[3] = {0, 0, 1};
  // one = {2 x[1], x + 1}, pairs[1] = {3 x[2], x}: 2 x[1]^2 + 30 x[2] x[0]
  // CHECK: 30
  if (atoi(argv[1]) == 1)
    printf("%g\n", __enzyme_fwddiff((void *)swapped, enzyme_dup, x, d,
                                    enzyme_const, 1));
  else
    __enzyme_autodiff((void *)swapped, enzyme_dup, x, d, enzyme_const, 1);
}
