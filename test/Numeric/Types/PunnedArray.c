// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers as pairs, as an array of doubles, and as a struct, through
// casts.
#include "check.h"

struct complex {
  double re, im;
};

static void multiply(struct complex *a, const struct complex *b) {
  struct complex r = {a->re * b->re - a->im * b->im,
                      a->re * b->im + a->im * b->re};
  *a = r;
}

void punned(const double *x, double *y) {
  double raw[4];
  for (int i = 0; i < 4; ++i)
    raw[i] = x[i] * x[0];
  struct complex *c = (struct complex *)(void *)raw;
  multiply(&c[0], &c[1]);
  double(*rows)[2] = (double(*)[2])raw;
  y[0] = rows[0][0] * rows[1][1];
  y[1] = rows[0][1];
}

ADZE_TEST_MAP(punned, 4, 2, ADZE_AT(0.9, 0.8, -0.7, 0.3))
