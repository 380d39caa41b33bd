// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two arrays of different steps in one block of memory: packed records, and
// numbers behind them that are no multiple of a record away. What is known of
// the one array says nothing of the other. So it is in the tape of a gradient,
// too, which a second derivative differentiates.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Count = 6 };
struct __attribute__((packed)) record {
  double v, more[3];
  short key;
};

static __attribute__((noinline)) void gather(char *to, const struct record *p,
                                             int count) {
  for (int i = 0; i < count; ++i)
    memcpy(to + i * sizeof(double), &p[i], sizeof(double));
}
static __attribute__((noinline)) void
scatter(struct record *p, const char *from, int count, int stride) {
  for (int i = 0; i < count; ++i, from += stride)
    memcpy(&p[i], from, sizeof(double));
}
static __attribute__((noinline)) double use(struct record *p, char *buffer,
                                            const double *w) {
  for (int i = 0; i < Count; ++i) {
    p[i].v = sin(w[i]);
    for (int k = 0; k < 3; ++k)
      p[i].more[k] = (0.3 + k) * w[i];
    p[i].key = (short)(i * 3);
  }
  gather(buffer, p, Count);
  scatter(p, buffer, Count - 1, sizeof(double));
  scatter(p, (const char *)&w[4], 1, 2 * sizeof(double));
  double r = 0;
  for (int i = 0; i < Count; ++i)
    r = 0.8 * r + p[i].v + p[i].more[0] + p[i].more[1] * p[i].more[2] +
        0.1 * p[i].key;
  return r;
}

double apart(const double *w, int n) {
  struct record p[Count];
  char buffer[Count * sizeof(double)];
  double r = use(p, buffer, w);
  return r * r;
}
ADZE_TEST_ARRAY(apart, 6, ADZE_AT(0.3, 0.4, 0.5, 0.6, 0.7, 0.8))

// In one block of the heap.
double beside(const double *w, int n) {
  char *block = (char *)malloc(Count * sizeof(struct record) + 4 +
                               Count * sizeof(double));
  double r =
      use((struct record *)block, block + Count * sizeof(struct record) + 4, w);
  free(block);
  return r * r;
}
ADZE_TEST_ARRAY(beside, 6, ADZE_AT(0.3, 0.4, 0.5, 0.6, 0.7, 0.8))

#if ADZE_FORWARD
extern void __enzyme_autodiff_inner(void *, ...);
extern void __enzyme_fwddiff_outer(void *, ...);
static void gradient(const double *w, double *d) {
  __enzyme_autodiff_inner((void *)apart, enzyme_dup, w, d, enzyme_const, Count);
}
ADZE_TEST_FORWARD(second) {
  double w[Count], t[Count], zero[Count] = {0}, h[Count] = {0};
  double up[Count], down[Count], g[Count] = {0}, l[Count] = {0}, step = 1e-6;
  for (int i = 0; i < Count; ++i) {
    w[i] = 0.3 + 0.1 * i;
    t[i] = cos(1.7 * i);
    up[i] = w[i] + step * t[i];
    down[i] = w[i] - step * t[i];
  }
  __enzyme_fwddiff_outer((void *)gradient, enzyme_dup, w, t, enzyme_dup, zero,
                         h);
  gradient(up, g);
  gradient(down, l);
  for (int i = 0; i < Count; ++i)
    adze_near("second", h[i], (g[i] - l[i]) / (2 * step), 1e-6);
}
#endif
