// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of memory with a shadow, computed from integers in a way that the
// shadow's address cannot follow: nothing but an error is right.
//
// RUN: not %clang -O0 -g -DMODE=__enzyme_autodiff %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -DMODE=__enzyme_fwddiff %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <stddef.h>
#include <stdint.h>
double MODE(void *, ...);

// The distance between two objects: their shadows lie differently.
static char base[8];
__attribute__((noinline)) static double at(ptrdiff_t off) {
  return *(double *)((uintptr_t)base + off);
}
double relative(double *x) {
  double local = x[0] * x[0];
  // CHECK-DAG: integer-address.c:[[#@LINE+1]]:{{[0-9]+}}: error: the address of memory with a shadow is computed from integers in a way that the shadow's address cannot follow: as the distance between two objects
  return at((uintptr_t)&local - (uintptr_t)base);
}

// A product of which the run knows the factor.
double scaled(double *x, uintptr_t k, uintptr_t inverse) {
  uintptr_t at = (uintptr_t)x * k;
  // CHECK-DAG: integer-address.c:[[#@LINE+1]]:{{[0-9]+}}: error: the address of memory with a shadow {{.*}}: by 'mul' with an integer that is taken for a number
  return *(double *)(at * inverse);
}

// Which is the address, and which the offset?
struct arena {
  uintptr_t one, other;
};
double either(struct arena *a) {
  // CHECK-DAG: integer-address.c:[[#@LINE+1]]:{{[0-9]+}}: error: the address of memory with a shadow {{.*}}: by 'add'
  return *(double *)(a->one + a->other);
}

// A function that does not know that its number is an address.
__attribute__((noinline)) static uintptr_t times(uintptr_t a, uintptr_t k) {
  return a * k;
}
double returned(double *x, uintptr_t k) {
  // CHECK-DAG: integer-address.c:[[#@LINE+1]]:{{[0-9]+}}: error: the address of memory with a shadow {{.*}}: as a result that the function takes for a number
  return *(double *)(times((uintptr_t)x, k) / 3);
}

void derivatives(double *x, double *dx) {
  MODE((void *)relative, x, dx);
  MODE((void *)scaled, x, dx, 5ul, 7ul);
  MODE((void *)either, x, dx);
  MODE((void *)returned, x, dx, 5ul);
  // CHECK: 4 errors generated
}
