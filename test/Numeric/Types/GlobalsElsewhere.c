// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals and structures behind global pointers that another function fills.
#include "check.h"
#include <stdlib.h>
#include <string.h>
static void *table;
static char area[64];
static __attribute__((noinline)) void setUp(const double *x) {
  double *d = (double *)table;
  for (int i = 0; i < 3; ++i)
    d[i] = x[i] * x[i];
}
static __attribute__((noinline)) void move(void) { memcpy(area, table, 24); }
static __attribute__((noinline)) double use(void) {
  const double *d = (const double *)area;
  return d[0] * d[1] + d[2];
}
void globals(const double *x, double *y) {
  table = malloc(24);
  setUp(x);
  move();
  y[0] = use();
  free(table);
}
ADZE_TEST_MAP(globals, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
