// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed records behind an array in one block of memory: where a number is
// written beside a float that lies on no grid, its tangent stays.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) Record {
  double v;
  long key;
  struct {
    double v;
    int c;
  } inner;
  unsigned char letter;
  char text[8];
};

static void fill(struct Record *r, const double *u, int i) {
  r->v = u[i];
  r->key = i * 7 % 11;
  r->inner.c = i & 3;
  r->inner.v = 3 * u[i];
  r->letter = 'a' + (i & 7);
  memset(r->text, 0, sizeof r->text);
  r->text[i % 3] = 'x';
}

__attribute__((noinline)) static double packed(const double *x, int n,
                                               int which) {
  char *block = malloc(8192);
  double *u = (double *)block;
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  struct Record *v = (struct Record *)(block + ((8 * n + 15) & -16));
  for (int i = 0; i < 5; i++)
    fill(&v[i], u, i);
  struct Record *q =
      (struct Record *)((char *)v + ((5 * sizeof *v + 15) & ~(size_t)15));
  memcpy(q, &v[1], 2 * sizeof *q);
  q->letter += 1;
  double s = which < 5 ? v[which].v : q[which - 5].v;
  s += 0.001 * q->letter;
  free(block);
  return s;
}

double packedInArena(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < 7; i++) {
    double p = packed(x, n, i);
    s += (i + 1) * p * p;
  }
  return s;
}
ADZE_TEST_ARRAY(packedInArena, 5, ADZE_AT(0.5, 0.25, -0.6, 0.75, 1.5))
