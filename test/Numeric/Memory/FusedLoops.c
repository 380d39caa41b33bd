// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops side by side that hand arrays on, which derivatives fuse: stages of
// integrators, with neighbours on either side, of few elements and of many.
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline)) static
#define MOST 40

static const int Sizes[] = {1, 2, 3, 4, 5, 6, 7, 9, 16, 17, 18, 19, 33, MOST};
#define ALL_SIZES(CALL)                                                        \
  double r = 0;                                                                \
  for (unsigned s = 0; s < sizeof Sizes / sizeof *Sizes; ++s) {                \
    int m = Sizes[s];                                                          \
    double y[MOST], p[MOST];                                                   \
    for (int i = 0; i < MOST; ++i) {                                           \
      y[i] = x[i % n] + 0.1 * i;                                               \
      p[i] = x[(i + 1) % n] - 0.2 * i;                                         \
    }                                                                          \
    r += CALL;                                                                 \
  }                                                                            \
  return r

static double weigh(const double *y, int m) {
  double r = 0;
  for (int i = 0; i < m; ++i)
    r += y[i] * (1 + i % 3);
  return r;
}

// The left neighbour, slices of one work space.
static void slope(int m, const double *restrict p, const double *restrict y,
                  double *restrict k) {
  k[0] = p[0];
  for (int i = 1; i < m; ++i)
    k[i] = p[i] * y[i - 1];
}
APART double stages(int m, const double *restrict p, double *restrict y,
                    double *restrict w) {
  double *k = w, *sum = w + m, *t = w + 2 * m;
  for (int step = 0; step < 2; ++step) {
    slope(m, p, y, k);
    for (int i = 0; i < m; ++i) {
      sum[i] = k[i];
      t[i] = y[i] + 0.05 * k[i];
    }
    slope(m, p, t, k);
    for (int i = 0; i < m; ++i) {
      sum[i] += 2 * k[i];
      t[i] = y[i] + 0.1 * k[i];
    }
    slope(m, p, t, k);
    for (int i = 0; i < m; ++i)
      y[i] += 0.03 * (sum[i] + k[i]);
  }
  return weigh(y, m);
}
double slices(const double *x, int n) {
  double w[3 * MOST] = {0};
  ALL_SIZES(stages(m, p, y, w));
}
ADZE_TEST_ARRAY(slices, 3, ADZE_AT(0.5, 0.25, -0.5))

// Two to the right, arrays that may overlap for all that is said.
APART double right(long m, const double *p, double *y, double *k, double *t) {
  for (int step = 0; step < 2; ++step) {
    for (long i = 0; i + 2 < m; ++i)
      k[i] = p[i] * y[i + 2] * y[i];
    for (long i = 0; i < m; ++i)
      t[i] = y[i] + 0.1 * k[i];
    for (long i = 0; i < m; ++i)
      y[i] = t[i] * p[i] - k[i];
  }
  return weigh(y, (int)m);
}
double arguments(const double *x, int n) {
  double k[MOST] = {0}, t[MOST];
  ALL_SIZES(right(m, p, y, k, t));
}
ADZE_TEST_ARRAY(arguments, 3, ADZE_AT(0.5, 0.25, -0.5))

// Arrays that do overlap.
double shifted(const double *x, int n) {
  double w[2 * MOST + 2] = {0};
  ALL_SIZES(right(m, p, y, w, w + 2));
}
ADZE_TEST_ARRAY(shifted, 3, ADZE_AT(0.5, 0.25, -0.5))

// Blocks of the heap, loops that go down, both neighbours, sums in between.
struct Grid {
  double *u, *v, *a;
  size_t m;
};
APART double wave(struct Grid *g, const double *p, const double *y) {
  double *u = g->u, *v = g->v, *a = g->a, energy = 0;
  for (size_t i = g->m; i-- > 0;) {
    u[i] = y[i];
    v[i] = p[i];
    a[i] = 0;
  }
  for (int step = 0; step < 3; ++step) {
    for (size_t i = 1; i + 1 < g->m; ++i)
      a[i] = p[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (size_t i = g->m; i-- > 0;)
      v[i] += 0.1 * a[i];
    for (size_t i = 0; i < g->m; ++i)
      energy += v[i] * v[i];
    for (size_t i = 0; i < g->m; ++i)
      u[i] += 0.1 * v[i] + 0.001 * energy;
    a[0] = u[g->m - 1];
  }
  return weigh(u, (int)g->m) + energy;
}
double heap(const double *x, int n) {
  struct Grid g = {malloc(MOST * sizeof(double)), malloc(MOST * sizeof(double)),
                   malloc(MOST * sizeof(double)), 0};
  double r = 0;
  for (unsigned k = 0; k < sizeof Sizes / sizeof *Sizes; ++k) {
    double y[MOST], p[MOST];
    for (int i = 0; i < MOST; ++i) {
      y[i] = x[i % n] + 0.01 * i;
      p[i] = x[(i + 1) % n] - 0.02 * i;
    }
    g.m = (size_t)Sizes[k];
    r += wave(&g, p, y);
  }
  free(g.u);
  free(g.v);
  free(g.a);
  return r;
}
ADZE_TEST_ARRAY(heap, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-6)

// Numbers of two in turn, and four bytes wide.
APART float pairs(unsigned m, const float *p, float *w) {
  for (int step = 0; step < 2; ++step) {
    for (unsigned i = 0; i < m; ++i)
      w[2 * i] = p[i] * w[2 * i + 1];
    for (unsigned i = 1; i < m; ++i)
      w[2 * i + 1] += 0.5f * w[2 * i - 2];
    for (unsigned i = 0; i < m; ++i)
      w[2 * i] -= 0.25f * w[2 * i + 1] * p[i];
  }
  float r = 0;
  for (unsigned i = 0; i < 2 * m; ++i)
    r += w[i] * (float)(1 + i % 3);
  return r;
}
double interleaved(const double *x, int n) {
  double r = 0;
  for (unsigned k = 0; k < sizeof Sizes / sizeof *Sizes; ++k) {
    float p[MOST], w[2 * MOST];
    for (int i = 0; i < 2 * MOST; ++i) {
      p[i / 2] = (float)x[i % n];
      w[i] = (float)(x[(i + 1) % n] + 0.01 * i);
    }
    r += pairs((unsigned)Sizes[k], p, w);
  }
  return r;
}
ADZE_TEST_ARRAY(interleaved, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-5)

// Gradients in one piece: shadows are arguments and blocks of the heap.
__attribute__((always_inline)) static inline double whole(const double *x,
                                                          int n, int steps) {
  double *y = malloc(4 * (size_t)n * sizeof *y);
  double *k = y + n, *sum = y + 2 * n, *t = y + 3 * n;
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
  for (int step = 0; step < steps; ++step) {
    slope(n, x, y, k);
    for (int i = 0; i < n; ++i) {
      sum[i] = k[i];
      t[i] = y[i] + 0.05 * k[i];
    }
    slope(n, x, t, k);
    for (int i = 0; i < n; ++i) {
      sum[i] += 2 * k[i];
      t[i] = y[i] + 0.1 * k[i];
    }
    slope(n, x, t, k);
    for (int i = 0; i < n; ++i)
      y[i] += 0.03 * (sum[i] + k[i]);
  }
  double r = weigh(y, n);
  free(y);
  return r;
}
double whole20(const double *x, int n) { return whole(x, n, 1 + n % 3); }
ADZE_TEST_ARRAY(whole20, 20,
                ADZE_AT(0.5, 0.25, -0.5, 1.5, 0.75, -0.25, 0.125, 2.0, -1.0,
                        0.375, 0.625, -0.75, 1.25, 0.875, -1.5, 0.1, 0.2, 0.3,
                        -0.4, 0.6))
double whole4(const double *x, int n) { return whole(x, n, 1 + n % 3); }
ADZE_TEST_ARRAY(whole4, 4, ADZE_AT(0.5, 0.25, -0.5, 1.5))
double whole3(const double *x, int n) { return whole(x, n, 1 + n % 3); }
ADZE_TEST_ARRAY(whole3, 3, ADZE_AT(0.5, 0.25, -0.5))
double whole2(const double *x, int n) { return whole(x, n, 1 + n % 3); }
ADZE_TEST_ARRAY(whole2, 2, ADZE_AT(0.5, 0.25))
double whole1(const double *x, int n) { return whole(x, n, 1 + n % 3); }
ADZE_TEST_ARRAY(whole1, 1, ADZE_AT(0.5))

// The last loop of a step and the first one of the next step stay apart.
static volatile int Steps;
double ring(const double *x, int n) {
  double y[MOST], k[MOST];
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < n; ++i)
      k[i] = x[i] * y[i];
    Steps = step;
    for (int i = 0; i < n; ++i)
      y[i] += 0.1 * k[i];
  }
  return weigh(y, n);
}
ADZE_TEST_ARRAY(ring, 4, ADZE_AT(0.5, 0.25, -0.5, 1.5))
