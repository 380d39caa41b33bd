// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles: a pointer kept as an integer, one with a mark in its lowest bit, one moved and one
// aligned by arithmetic on integers.
#include "check.h"
#include <stdint.h>
#include <stdlib.h>

struct box {
  double value;
  int n;
};

static double aligned(const double *x, int n) {
  char *raw = (char *)malloc(256 + sizeof(double));
  uintptr_t start = ((uintptr_t)(raw + sizeof(double)) + 63) & ~(uintptr_t)63;
  double *d = (double *)start;
  for (int i = 0; i < n; ++i)
    d[i] = x[i] * x[0];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *(double *)(start + (uintptr_t)i * sizeof(double)) * d[n - 1 - i];
  free(raw);
  return s;
}

void handles(const double *x, double *y) {
  struct box b[2] = {{x[0] * x[1], 2}, {x[1] * x[2], 3}};
  uintptr_t plain = (uintptr_t)&b[0], marked = (uintptr_t)&b[1] | 1;
  struct box *first = (struct box *)plain;
  struct box *second = (struct box *)(marked & ~(uintptr_t)1);
  first->value *= second->value;
  y[0] = first->value * first->n + (marked & 1 ? second->value : 0);
  y[1] = *(double *)(marked - 1) * aligned(x, 3);
}

ADZE_TEST_MAP(handles, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
