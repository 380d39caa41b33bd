// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flexible array of bytes that holds structs of a number and a double.
#include "check.h"
#include <stdlib.h>

struct item {
  int key;
  double value;
};
struct pool {
  size_t used;
  unsigned char space[];
};

static struct item *take(struct pool *p) {
  struct item *r = (struct item *)(void *)(p->space + p->used);
  p->used += sizeof *r;
  return r;
}

double pooled(const double *x, int n) {
  struct pool *p = (struct pool *)malloc(sizeof *p + 16 * sizeof(struct item));
  p->used = 0;
  struct item *first = 0, *last = 0;
  for (int i = 0; i < n; ++i) {
    last = take(p);
    last->key = i;
    last->value = x[i] * (first ? first->value : 1);
    if (!first)
      first = last;
  }
  double s = first->value * last->value * last->key;
  free(p);
  return s;
}

ADZE_TEST_ARRAY(pooled, 4, ADZE_AT(0.9, 0.8, -0.7, 0.3))
