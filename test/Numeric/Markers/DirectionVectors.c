// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight-line code and chains in many directions, forward and back: each is
// the same as alone.
#include "check.h"
#include <math.h>
#include <string.h>

enum { Directions = 7, N = 18 };

static void compose(const double *restrict a, double *restrict y) {
  double m[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      m[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        m[3 * i + j] += a[3 * i + k] * a[9 + 3 * k + j];
    }
  double det = m[0] * (m[4] * m[8] - m[5] * m[7]) -
               m[1] * (m[3] * m[8] - m[5] * m[6]) +
               m[2] * (m[3] * m[7] - m[4] * m[6]);
  for (int i = 0; i < 9; i++)
    y[i] = m[i] / det + (m[i] > 0.1 ? m[i] * a[i] : sqrt(a[9 + i]));
}
static void pendulum(const double *a, double *y) {
  double v = a[0], w = a[1], rate = a[2] * a[3];
  for (int t = 0; t < 40; t++) {
    double b = -rate * sin(w) - 0.1 * v * fabs(v);
    w += 0.05 * v;
    v += 0.05 * b;
    if (v > a[4])
      v = a[4] * a[5] - v;
  }
  y[0] = v;
  y[1] = w;
  y[N - 1] += v * w;
}
static void product(const double *a, double *y) {
  double m[4] = {a[0], a[1], a[2], a[3]};
  for (int t = 0; t < 6; t++) {
    double b[4] = {a[t], a[t + 1], a[t + 2], a[t + 3]}, r[4];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        r[2 * i + j] = (m[2 * i] * b[j] + m[2 * i + 1] * b[2 + j]) * 0.7;
    memcpy(m, r, sizeof m);
    y[t] += m[0] * m[3];
    y[6 + t] = y[t] - m[1] * y[6 + t];
  }
}
static double power(double x, int n) {
  return n == 0 ? 1 / (1 + x * x) : x * power(x * 0.9 + 0.1, n - 1);
}
static void recursive(const double *a, double *y) {
  for (int i = 0; i < 3; i++)
    y[i] = power(a[i], 2 + i) * power(a[i + 1], 1) + y[i] * a[4];
}
static void single(const double *a, double *y) {
  float s = (float)a[0], c = (float)a[1];
  for (int t = 0; t < 9; t++) {
    float next = s * c + 0.25f * s;
    c = c - 0.125f * s * (float)a[2];
    s = next;
  }
  y[0] = s;
  y[1] = c * a[3];
}

extern void __enzyme_fwddiff_one(void *, ...);
extern void __enzyme_fwddiff_many(void *, ...);
extern void __enzyme_autodiff_one(void *, ...);
extern void __enzyme_autodiff_many(void *, ...);

typedef struct {
  double a[N], y[N];
} state;

static void seed(state *s, int k) {
  for (int i = 0; i < N; i++) {
    s->a[i] = k == 3 ? 0 : sin(k + 2 * i);
    s->y[i] = k == 5 ? 0 : cos(3 * k - i);
  }
}
static state point(void) {
  state s;
  for (int i = 0; i < N; i++) {
    s.a[i] = 0.5 + 0.4 * sin(3.7 * i * i);
    s.y[i] = 0.5 * cos(i);
  }
  return s;
}
static void compare(const char *what, const state *got, const state *want,
                    double tolerance) {
  for (int k = 0; k < Directions; k++)
    for (int i = 0; i < N; i++) {
      adze_near(what, got[k].a[i], want[k].a[i], tolerance);
      adze_near(what, got[k].y[i], want[k].y[i], tolerance);
    }
}

#define CHECK(MARKER, F, TOLERANCE)                                            \
  {                                                                            \
    state alone[Directions], all[Directions];                                  \
    for (int k = 0; k < Directions; k++) {                                     \
      seed(&alone[k], k);                                                      \
      seed(&all[k], k);                                                        \
      state at = point();                                                      \
      MARKER##_one((void *)F, enzyme_dup, at.a, alone[k].a, enzyme_dup, at.y,  \
                   alone[k].y);                                                \
    }                                                                          \
    state at = point();                                                        \
    MARKER##_many((void *)F, enzyme_width, Directions, enzyme_dupv,            \
                  sizeof(state), at.a, all[0].a, enzyme_dupv, sizeof(state),   \
                  at.y, all[0].y);                                             \
    compare(#F, all, alone, TOLERANCE);                                        \
  }
#define CHECK_ALL(MARKER)                                                      \
  CHECK(MARKER, compose, 1e-12)                                                \
  CHECK(MARKER, pendulum, 1e-12)                                               \
  CHECK(MARKER, product, 1e-12)                                                \
  CHECK(MARKER, recursive, 1e-12)                                              \
  CHECK(MARKER, single, 1e-5)

#if ADZE_FORWARD
ADZE_TEST_FORWARD(direction_vectors){CHECK_ALL(__enzyme_fwddiff)}
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(direction_vectors_back) {
  CHECK_ALL(__enzyme_autodiff)
}
#endif
