// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are written over parts of doubles that nobody reads as doubles any more: a union, an arena
// that is used again, a double put together of two words, text beside doubles. What is read again was
// written whole.
#include "PartOverwritten.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static double total(const struct Named *s) {
  return sum(s->values, s->count) * s->name[3];
}

static double cells(const double *x) {
  union Cell c;
  c.d = x[0];
  double y = square(&c);
  c.i[1] = seven;
  c.i[0] = seven + 3;
  y *= c.i[0] - c.i[1];
  c.d = x[1];
  y += square(&c);
  c.words.high = 0x40000000; // 2.0
  c.words.low = 0;
  y += square(&c) * x[2];
  memset((char *)&c + 4, 0, 4);
  return y + c.i[1];
}

static double arena(const double *x) {
  char *pool = malloc(64);
  double *a = (double *)pool;
  for (int i = 0; i < 4; ++i)
    a[i] = x[i] * x[i];
  double y = sum(a, 4);
  int *k = (int *)pool, t = 0;
  for (int i = 1; i < 8; i += 2)
    k[i] = i + seven;
  for (int i = 1; i < 8; i += 2)
    t += k[i];
  for (int i = 0; i < 4; ++i)
    a[i] = x[i];
  y = y * t + sum(a, 4);
  free(pool);
  return y;
}

static double named(const double *x) {
  struct Named s;
  for (int i = 0; i < 12; ++i)
    s.name[i] = (char)i;
  for (int i = 0; i < 3; ++i)
    s.values[i] = x[i];
  s.count = 3;
  s.name[3] = (char)seven;
  return total(&s);
}

double parts(const double *x, int n) { return cells(x) + arena(x) * x[n - 1] + named(x); }

ADZE_TEST_ARRAY(parts, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
