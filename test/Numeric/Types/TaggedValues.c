// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tagged union in an array, copied as a whole and read by its tag.
#include "check.h"
#include <string.h>

struct value {
  int tag;
  union {
    double d;
    long i;
  } u;
};

static double get(const struct value *v) {
  return v->tag ? v->u.d : (double)v->u.i;
}

void tagged(const double *x, double *y) {
  struct value a[4], b[4];
  for (int i = 0; i < 4; ++i) {
    a[i].tag = i % 2;
    if (a[i].tag)
      a[i].u.d = x[i] * x[0];
    else
      a[i].u.i = i + 3;
  }
  memcpy(b, a, sizeof a);
  struct value c = b[1];
  y[0] = get(&b[0]) * get(&b[1]) + get(&b[2]) * get(&b[3]) * get(&c);
}
ADZE_TEST_MAP(tagged, 4, 1, ADZE_AT(0.9, 1.1, -0.7, 0.3))
