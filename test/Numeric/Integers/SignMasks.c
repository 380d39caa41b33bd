// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signs changed by an exclusive or with masks that only the run knows: from a table, computed from an
// index, for all lanes of a vector at once, and for single precision.
#include "check.h"
#include <stdint.h>
#include <string.h>

typedef double Pair __attribute__((vector_size(16)));
typedef int64_t Bits __attribute__((vector_size(16)));

__attribute__((noinline)) static double change(double x, const uint64_t *mask) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits ^= *mask;
  memcpy(&x, &bits, sizeof x);
  return x;
}
__attribute__((noinline)) static Pair changePair(const Pair *x, const Pair *mask) {
  return (Pair)((Bits)*x ^ (Bits)*mask);
}
__attribute__((noinline)) static float changeFloat(float x, const uint32_t *mask) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = *mask ^ bits;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static const uint64_t masks[] = {0, 1ull << 63, 1ull << 63, 0};

// Signs + - - + of the elements.
double alternating(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += change(x[i] * x[i], &masks[i & 3]) * (i + 1);
  return s;
}
static const double expected[] = {1.0, -4 * 0.7, 6 * 0.4, 8 * 0.2};
ADZE_TEST_ARRAY(alternating, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2), .expected = expected)

// (x1 x0, -x2 x0) and the sum of both.
double pairs(const double *x, int n) {
  Pair mask = {0.0, n > 2 ? -0.0 : 0.0};
  Pair a = {x[1] * x[0], x[2] * x[0]};
  a = changePair(&a, &mask);
  return a[0] + 3 * a[1];
}
static const double ofPairs[] = {0.7 + 1.2, 0.5, -1.5};
ADZE_TEST_ARRAY(pairs, 3, ADZE_AT(0.5, 0.7, -0.4), .expected = ofPairs)

double single(const double *x, int n) {
  uint32_t mask = (uint32_t)n << 31;
  return changeFloat((float)(x[0] * x[1]), &mask);
}
static const double ofSingle[] = {-0.75, -0.5, 0.0};
ADZE_TEST_ARRAY(single, 3, ADZE_AT(0.5, 0.75, 1.0), .expected = ofSingle,
                .flags = ADZE_NO_DIFFERENCES, .exact = 1e-7)
