// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: vectorized
// Vectors of integers beside active data: shuffled, loaded, stored, used as
// indices.
#include "check.h"
#include <string.h>

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

double indexed(const double *x, int n) {
  int4 order = {3, 1, 0, 2}, step = {1, 1, 1, 1};
  byte16 bytes;
  memcpy(&bytes, &order, sizeof bytes);
  bytes ^= 1;
  int4 other;
  memcpy(&other, &bytes, sizeof other);
  other &= 3;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    order = (order + step) & 3;
    s += x[order[0]] * x[order[3]] * (other[i & 3] + 1) * x[i];
  }
  return s;
}

ADZE_TEST_ARRAY(indexed, 4, ADZE_AT(0.9, 0.8, -0.7, 0.3))
