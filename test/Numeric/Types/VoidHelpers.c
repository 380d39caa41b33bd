// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that take void*: clone, swap and fill, used on mixed structs and on
// doubles.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct mixed {
  int n;
  double v;
  const char *name;
};

__attribute__((noinline)) static void *clone(const void *from, size_t bytes) {
  void *r = malloc(bytes);
  memcpy(r, from, bytes);
  return r;
}
__attribute__((noinline)) static void exchange(void *a, void *b, size_t bytes) {
  char t[64];
  memcpy(t, a, bytes);
  memcpy(a, b, bytes);
  memcpy(b, t, bytes);
}

void helpers(const double *x, double *y) {
  struct mixed m[2] = {{1, x[0] * x[1], "one"}, {2, x[1] * x[2], "two"}};
  exchange(&m[0], &m[1], sizeof m[0]);
  struct mixed *c = (struct mixed *)clone(m, sizeof m);
  double *d = (double *)clone(x, 3 * sizeof *d);
  exchange(d, d + 2, sizeof *d);
  y[0] = c[0].v * c[0].n * d[0];
  y[1] = c[1].v * d[1] * (c[1].name[0] == 'o' ? 3 : 5);
  free(c);
  free(d);
}

ADZE_TEST_MAP(helpers, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
