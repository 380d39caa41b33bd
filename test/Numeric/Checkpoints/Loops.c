// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that keep a few states: arrays that change places, scalars that are carried, unknown
// counts, memory of each step, static and named memory, loops in loops.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if ADZE_REVERSE || ADZE_FORWARD
#define CHECKPOINT(...) adze_checkpoint(__VA_ARGS__)
#else
#define CHECKPOINT(...) (void)0
#endif
enum { N = 6 };

void swapped(const double *x, double *y) {
  double *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v);
  double *first = u, *second = v, sum = 0;
  for (int i = 0; i < N; i++)
    u[i] = v[i] = x[i];
  for (int t = 0; t < 37; t++) {
    CHECKPOINT(3);
    for (int i = 1; i < N - 1; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * sin(u[i]);
    double *w = u;
    u = v;
    v = w;
    sum += u[2] * v[3];
  }
  for (int i = 0; i < N; i++)
    y[i] = u[i] * sum + v[i];
  free(first);
  free(second);
}
ADZE_TEST_MAP(swapped, 6, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// How often it runs is not known before, and it is left in three places.
void until(const double *x, double *y) {
  double a = x[0], b = x[1], factor = x[2];
  int steps = 0;
  while (fabs(a) > 0.05) {
    CHECKPOINT(4, x, 3 * sizeof *x);
    double c = a * 0.97 + 0.001 * sin(b);
    b += 0.01 * a * x[2];
    a = c;
    if (++steps > 150)
      break;
    if (b > 3) {
      b *= factor;
      break;
    }
  }
  y[0] = a * 3 + b * b;
  y[1] = a * b;
}
ADZE_TEST_MAP(until, 3, 2, ADZE_AT(1, 0.5, 0.7, 1, 0.5, 9))

struct state {
  double u[N];
  double energy;
  int count;
};
static double buffer[N];
static void advance(struct state *s, double *scratch) {
  for (int i = 0; i < N; i++)
    scratch[i] = sin(s->u[i]) + buffer[i];
  for (int i = 0; i < N; i++) {
    s->u[i] += 0.1 * scratch[(i + 1) % N];
    buffer[i] = 0.5 * scratch[i];
  }
  s->energy += s->u[0] * s->u[1];
  s->count++;
}
void records(const double *x, double *y) {
  struct state s;
  memset(&s, 0, sizeof s);
  memset(buffer, 0, sizeof buffer);
  memcpy(s.u, x, sizeof s.u);
  for (int t = 0; t < 20; t++) {
    CHECKPOINT(2);
    double *scratch = malloc(N * sizeof *scratch);
    advance(&s, scratch);
    free(scratch);
  }
  y[0] = s.energy + s.count;
  y[1] = s.u[3] * buffer[2];
}
ADZE_TEST_MAP(records, 6, 2, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

static void smooth(double *u, int n, int rounds) {
  for (int k = 0; k < rounds; k++) {
    CHECKPOINT(2, u, n * sizeof *u);
    for (int i = 1; i < n - 1; i++)
      u[i] += 0.1 * (u[i - 1] * u[i + 1] - u[i]);
  }
}
void nested(double *u) {
  for (int t = 0; t < 9; t++) {
    CHECKPOINT(3, u, N * sizeof *u);
    smooth(u, N, 5);
    u[0] = 0.9 * u[0] + 0.01 * u[N - 1] * u[2];
    for (int k = 0; k < t; k++) {
      CHECKPOINT(1, u, N * sizeof *u);
      u[N - 1] += 0.01 * u[1] * u[N - 1];
    }
  }
}
ADZE_TEST_INPLACE(nested, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// No step, and one.
void few(const double *x, double *y) {
  for (int n = 0; n < 3; n++) {
    double s = x[0];
    for (int t = 0; t < n; t++) {
      CHECKPOINT(1);
      s *= s * x[0];
    }
    y[n] = s;
  }
}
ADZE_TEST_MAP(few, 1, 3, ADZE_AT(1.1))
