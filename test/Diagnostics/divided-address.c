// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quotient of an address is kept and becomes an address again elsewhere: if
// the shadow leaves another rest, that would lead beside the shadow, and the
// program stops. In a function of its own, which takes it for a number, a quotient
// has no dual, and is refused.
// RUN: %clang -g -O0 %adze %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 %adze %s -o %t && not --crash %t 2>&1 | FileCheck %s
// CHECK: adze: an address is divided, and its shadow leaves another rest: the quotient does not lead to the shadow
// RUN: not %clang -g -O0 -DAPART %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefix=APART %s
// RUN: not %clang -g -O2 -DAPART %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefix=APART %s
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
  // APART: divided-address.c:[[#@LINE+1]]:{{[0-9]+}}: error: the address of memory with a shadow is computed from integers in a way that the shadow's address cannot follow: as a quotient that is taken for a number and stored
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
