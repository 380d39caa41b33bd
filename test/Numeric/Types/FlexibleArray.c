// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flexible array member: a header of integers, then as many doubles as it
// says.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct row {
  int length;
  int kind;
  double data[];
};

static struct row *make(const double *x, int n) {
  struct row *r = (struct row *)malloc(sizeof *r + (size_t)n * sizeof(double));
  r->length = n;
  r->kind = n & 1;
  for (int i = 0; i < n; ++i)
    r->data[i] = x[i] * x[n - 1 - i];
  return r;
}

double rows(const double *x, int n) {
  struct row *a = make(x, n), *b = make(x + 1, n - 1);
  size_t bytes = sizeof *a + (size_t)a->length * sizeof(double);
  struct row *c = (struct row *)malloc(bytes);
  memcpy(c, a, bytes);
  double s = 0;
  for (int i = 0; i < b->length; ++i)
    s += b->data[i] * c->data[i] * (c->kind + 1);
  free(a);
  free(b);
  free(c);
  return s;
}

ADZE_TEST_ARRAY(rows, 4, ADZE_AT(0.9, 0.8, -0.7, 0.3))
