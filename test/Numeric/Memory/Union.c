// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A union of a double and its bytes, of a struct and an array.
#include "check.h"

union view {
  struct {
    double a, b;
  } pair;
  double array[2];
  unsigned long long bits[2];
};

double through(double x, double y) {
  union view v, w;
  v.pair.a = x * y;
  v.pair.b = x - y;
  double s = v.array[0] * v.array[1];
  w.bits[0] = v.bits[1];
  w.bits[1] = v.bits[0];
  return s + w.pair.a * w.pair.a * w.pair.b;
}

ADZE_TEST_SCALAR2(through, ADZE_AT(0.9, 1.1, -0.7, 0.3))
