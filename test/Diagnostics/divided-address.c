// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quotient of an address is kept and becomes an address again elsewhere: if
// the shadow leaves another rest, that would lead beside the shadow, and the
// program stops. So it does where a function of its own divides: that takes a
// number, for all that it knows, but its caller knows better.
// RUN: %clang -g -O0 %adze %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 %adze %s -o %t && not --crash %t 2>&1 | FileCheck %s
// CHECK: adze: an address is divided, and its shadow leaves another rest: the quotient does not lead to the shadow
// RUN: %clang -g -O0 -DAPART %adze %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 -DAPART %adze %s -o %t && not --crash %t 2>&1 | FileCheck %s
#include <stdint.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

#define SIZE 4000
typedef struct {
  double scale;
  double v[20];
} chunk;

#ifdef APART
__attribute__((noinline)) static void divide(uintptr_t p, uintptr_t *number) {
  *number = p / SIZE;
}
#else
#define divide(p, number) (*(number) = (p) / SIZE)
#endif

static double f(const double *x, int n) {
  char *raw = (char *)malloc(sizeof(chunk) + SIZE);
  chunk *c = (chunk *)(raw + (SIZE - (uintptr_t)raw % SIZE));
  uintptr_t numbers[8];
  c->scale = x[0];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    c->v[i] = x[i] * x[i];
    divide((uintptr_t)&c->v[i], &numbers[i]);
  }
  for (int i = 0; i < n; ++i)
    s += ((chunk *)(numbers[n - 1 - i] * SIZE))->scale * c->v[i];
  free(raw);
  return s;
}

int main(void) {
  double x[3] = {1, 2, 3}, d[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 3);
}
