// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word that is an address or a number, chosen by a tag: the number has no
// shadow and stands for itself beside the address.
#include "check.h"
#include <stdint.h>

struct Cell {
  int kind;
  union {
    long number;
    double *place;
  } as;
};

static double valueOf(const struct Cell *c) {
  return c->kind == 1 ? *c->as.place : 0.1 * c->as.number;
}

double cells(const double *x, int n) {
  double q[8];
  for (int i = 0; i < n; ++i)
    q[i] = x[i] * x[i];
  struct Cell all[4];
  double r = 0;
  for (int i = 0; i < 4; ++i) {
    all[i].kind = (n + i) & 1;
    if (all[i].kind)
      all[i].as.place = &q[i + 1];
    else
      all[i].as.number = n * i;
  }
  for (int i = 0; i < 4; ++i)
    r += (i + 1) * valueOf(&all[i]) * valueOf(&all[3 - i]);
  return r + q[0] * q[2];
}

double words(const double *x, int n) {
  double q[8], r = 0;
  for (int i = 0; i < n; ++i)
    q[i] = x[i] * x[i];
  for (int t = 0; t < 3; ++t)
    for (int i = 0; i < n; ++i) {
      uintptr_t w = (n + i + t) & 1 ? (uintptr_t)&q[i] : (uintptr_t)(2 * i + 1);
      r += w & 1 ? 0.1 * (double)w * q[t] : *(const double *)w;
    }
  return r;
}

ADZE_TEST_ARRAY(cells, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))
ADZE_TEST_ARRAY(words, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))

