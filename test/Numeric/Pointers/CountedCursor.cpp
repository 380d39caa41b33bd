// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address kept as an integer that other functions count up and down, beside
// a counter.
#include "check.h"
#include <cstdint>
#include <cstdlib>
struct Arena {
  uintptr_t at;
  long count;
};
__attribute__((noinline)) void bump(Arena *a) {
  a->at += 8;
  a->count += 1;
}
__attribute__((noinline)) void put(Arena *a, double d) {
  *(double *)a->at = d;
  bump(a);
}
__attribute__((noinline)) double back(Arena *a) {
  a->at -= 8;
  return *(double *)a->at;
}
extern "C" double cursor(const double *x, int n) {
  double *memory = (double *)std::malloc(n * sizeof(double));
  Arena a = {(uintptr_t)memory, 0};
  for (int i = 0; i < n; ++i)
    put(&a, x[i] * x[i]);
  double r = a.count;
  for (int i = 0; i < n; ++i)
    r = r * x[i] + back(&a);
  std::free(memory);
  return r;
}
ADZE_TEST_ARRAY(cursor, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
