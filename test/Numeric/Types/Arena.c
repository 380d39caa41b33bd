// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An arena: pieces of one block become doubles, integers and structures.
#include "check.h"
#include <stdlib.h>

struct arena {
  char *base;
  size_t used;
};
static void *bump(struct arena *a, size_t n) {
  void *p = a->base + a->used;
  a->used += (n + 15) & ~(size_t)15;
  return p;
}
struct node {
  double v;
  int n;
  struct node *next;
};

void arena(const double *x, double *y) {
  struct arena a = {(char *)malloc(1024), 0};
  double *d = (double *)bump(&a, 4 * sizeof *d);
  int *k = (int *)bump(&a, 4 * sizeof *k);
  for (int i = 0; i < 4; ++i) {
    d[i] = x[i] * x[3 - i];
    k[i] = 3 - i;
  }
  struct node *list = 0;
  for (int i = 0; i < 4; ++i) {
    struct node *n = (struct node *)bump(&a, sizeof *n);
    n->v = d[k[i]] * x[i];
    n->n = i + 1;
    n->next = list;
    list = n;
  }
  double s = 0;
  for (struct node *n = list; n; n = n->next)
    s += n->v * n->n;
  y[0] = s;
  free(a.base);
}
ADZE_TEST_MAP(arena, 4, 1, ADZE_AT(0.9, 1.1, -0.7, 0.3))
