// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats go through a buffer and are moved out of it byte by byte, in so many
// instructions that the optimizer makes bits of the floats of some of the bytes
// and leaves the others as loads.
#include "check.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct Row {
  double v;
  long key;
  double rest[3];
};

static void gather(char *to, const struct Row *p, int count) {
  for (int i = 0; i < count; ++i) {
    double t = p[i].v;
    memcpy(to, &t, sizeof t);
    to += sizeof t;
  }
}

static void scatter(struct Row *p, const char *from, int count) {
  for (int i = 0; i < count; ++i, from += sizeof(double)) {
    char *to = (char *)&p[i] + offsetof(struct Row, v);
    for (size_t k = 0; k < sizeof(double); ++k)
      to[k] = from[k];
  }
}

__attribute__((noinline)) static void make(struct Row *p, const double *x, int i) {
  p->v = sin(x[i]);
  p->key = i * 7 % 11;
}

__attribute__((noinline)) static void change(struct Row *p, double k) { p->v = sin(p->v * k); }

double moved(const double *x, int n) {
  struct Row p[6];
  char *buffer = (char *)malloc(6 * sizeof(double));
  for (int i = 0; i < 6; ++i)
    make(&p[i], x, i);
  gather(buffer, p, 6);
  for (int i = 0; i < 6; ++i)
    change(&p[i], x[0]);
  scatter(p, buffer, 5);
  double s = 0, t;
  for (int i = 0; i < 6; ++i)
    s = 0.8 * s + 0.2 * (p[i].v + 0.1 * p[i].key) * p[5 - i].v;
  memcpy(&t, buffer + n % 6 * sizeof(double), sizeof t);
  free(buffer);
  return s + t * x[1];
}

ADZE_TEST_ARRAY(moved, 8, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9, 0.1, 0.2))
