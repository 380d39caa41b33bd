// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that change places: their shadows are looked up in each state.
#ifndef ADZE_TEST_NUMERIC_CHECKPOINTS_SWAPPED_H
#define ADZE_TEST_NUMERIC_CHECKPOINTS_SWAPPED_H

#include "check.h"
#include <cstring>

enum { Size = 6 };

extern "C" void *malloc(size_t);
extern "C" void free(void *);

#define APART __attribute__((noinline))

static APART void step(const double *u, double *v, double dt) {
  for (int i = 0; i < Size; ++i)
    v[i] = u[i] + dt * u[(i + 1) % Size] * u[(i + Size - 1) % Size];
}
static void swapped(const double *x, double *y) {
  double *u = (double *)malloc(Size * sizeof(double));
  double *v = (double *)malloc(Size * sizeof(double));
  memcpy(u, x, Size * sizeof(double));
  for (int t = 0; t < 9; ++t) {
    adze_checkpoint(2);
    step(u, v, 0.1);
    double *w = u;
    u = v;
    v = w;
  }
  memcpy(y, u, Size * sizeof(double));
  free(u);
  free(v);
}

static double point(int i) { return 0.3 + 0.1 * i; }

#endif
