// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of integers that carry doubles: shuffled, and the signs of some lanes flipped, as
// hand-written SSE code does.
#include "check.h"

typedef double doubles __attribute__((vector_size(16)));
typedef long long longs __attribute__((vector_size(16)));

__attribute__((noinline)) static longs swapped(longs v) {
  return __builtin_shufflevector(v, v, 1, 0);
}
__attribute__((noinline)) static longs twice(longs v) {
  return __builtin_shufflevector(v, v, 1, 1);
}

void integer_shuffles(const double *x, double *y) {
  const longs sign = {0, (long long)0x8000000000000000ull};
  const longs other = {(long long)0x8000000000000000ull, 0};
  doubles a = {x[0], x[1]}, b = {x[2], x[0] * x[1]};
  doubles s = (doubles)(swapped((longs)a) ^ sign) * b;
  doubles t = (doubles)__builtin_shufflevector((longs)a, (longs)b, 1, 2) * a;
  doubles u = (doubles)(other ^ twice((longs)b)) * t;
  y[0] = s[0] + s[1];
  y[1] = t[0] * t[1];
  y[2] = u[0] - 2 * u[1];
}

ADZE_TEST_MAP(integer_shuffles, 3, 3, ADZE_AT(0.9, 1.3, -0.5, -1.7, 0.4, 0.6))

/* A lane of which no value is wanted, before it gets one. */
void half_shuffles(const double *x, double *y) {
  const longs signs = {(long long)0x8000000000000000ull, (long long)0x8000000000000000ull};
  doubles a = {x[0], x[1]}, b = {x[2], x[0] * x[1]};
  longs high = __builtin_shufflevector((longs)a, (longs)a, 1, -1);
  longs both = __builtin_shufflevector(high, (longs)b, 0, 3);
  doubles s = (doubles)(both ^ signs) * a;
  y[0] = s[0] * s[1];
  y[1] = s[1] - s[0];
}

ADZE_TEST_MAP(half_shuffles, 3, 2, ADZE_AT(0.9, 1.3, -0.5, -1.7, 0.4, 0.6))
