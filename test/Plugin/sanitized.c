// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of code that asks the sanitizers' questions: the calls that tell
// of an answer take part in no derivative, and derivatives are instrumented
// like other code.
// A compiler that has the sanitizers' library preloaded uses another than these.
// UNSUPPORTED: sanitized
// RUN: %clang -O0 -g -fsanitize=address,undefined %adze %s -o %t.0 && %t.0 | FileCheck %s
// RUN: %clang -O2 -g -fsanitize=address,undefined %adze %s -o %t.2 && %t.2 | FileCheck %s
// RUN: %clang -O2 -g -fsanitize=address,undefined -fno-sanitize-recover=all %adze %s -o %t.a && %t.a | FileCheck %s
// RUN: %clang -O2 -g -fsanitize=undefined -fsanitize-trap=all %adze %s -o %t.t && %t.t | FileCheck %s
// CHECK: gradient 9 3 tangent 12

// What is wrong is found in the derivative, too: the shadow is too short.
// RUN: %clang -O1 -g -fsanitize=address -DSHORT %adze %s -o %t.s && not %t.s 2>&1 | FileCheck --check-prefix=SHORT %s
// SHORT: AddressSanitizer: heap-buffer-overflow
// SHORT: {{adze|grad|f}}
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double f(const double *x, const int *at, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[at[i]] * x[at[(i + 1) % n]] * (i + 1);
  return sum;
}

int main(void) {
  double *x = malloc(2 * sizeof(double));
  int at[] = {0, 1, 0};
#ifdef SHORT
  double *dx = calloc(1, sizeof(double));
#else
  double *dx = calloc(2, sizeof(double));
#endif
  double v[] = {1, 1};
  x[0] = 1, x[1] = 1;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, at, 3);
  double t = __enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, at, 3);
  printf("gradient %g %g tangent %g\n", dx[0], dx[1], t);
  free(x);
  free(dx);
  return 0;
}
