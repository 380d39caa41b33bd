// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and structs of long double on the stack and on the heap; their padding is nobody's.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct pair {
  ldouble a;
  int n;
  ldouble b;
};

void work(const ldouble *x, ldouble *y) {
  ldouble *h = (ldouble *)malloc(3 * sizeof *h), t[3];
  memcpy(h, x, 3 * sizeof *h);
  struct pair p = {h[0] * h[1], 2, h[2]}, q;
  q = p;
  memset(t, 0, sizeof t);
  for (int i = 0; i < 3; ++i)
    t[i] += q.a * h[i] + q.b * q.n;
  memcpy(y, t, sizeof t);
  free(h);
}
ADZE_TEST_MAP_T(ldouble, work, 3, 3, ADZE_AT(0.75, 1.25, -0.5))
