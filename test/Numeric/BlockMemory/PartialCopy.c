// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that cut through a struct, and a copy of floats and integers together.
#include "check.h"
#include <string.h>

struct mixed {
  double a;
  long n;
  double b;
  float f[2];
};

double pieces(double x, double y) {
  struct mixed m = {x, 3, y, {1.5f, 2.5f}}, k;
  memset(&k, 0, sizeof k);
  memcpy(&k, &m, sizeof(double) + sizeof(long));
  double s = k.a * (double)k.n + k.b;
  memcpy((char *)&k + 8, (char *)&m + 8, sizeof k - 8);
  k.a *= k.b;
  memcpy(&m.b, &k.a, sizeof(double));
  return s + m.b * k.f[1] + m.a;
}

ADZE_TEST_SCALAR2(pieces, ADZE_AT(0.9, 1.1, -0.7, 0.4))
