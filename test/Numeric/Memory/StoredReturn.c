// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of two pointers stored to a cell, reloaded, both used.
#include "check.h"
#include <stdlib.h>

struct pair {
  const double *a;
  double *b;
};

void cell(const double *x, double *y) {
  double local[3] = {x[0] * x[1], x[1], x[2] * x[0]};
  struct pair *heap = (struct pair *)malloc(sizeof *heap);
  struct pair p = {x, local};
  *heap = p;
  struct pair q = *heap;
  for (int i = 0; i < 3; ++i)
    y[i] = q.a[i] * q.b[2 - i] + heap->b[i] * heap->a[0];
  free(heap);
}

ADZE_TEST_MAP(cell, 3, 3, ADZE_AT(0.9, 1.1, -0.7))
