// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over arrays in many directions, of which some are zero: each is the
// same as alone.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Directions = 13, Most = 24, Factors = 4, Numbers = Factors + 2 * Most };

/// All functions below: reads a, reads and writes x and y, n elements each.
typedef struct {
  double position[3], mass;
} body;
static const int Place[Most] = {3, 1,  1,  0,  2,  5,  4, 7, 7,  6,  9,  8,
                                3, 11, 12, 20, 14, 13, 0, 0, 17, 16, 22, 23};

static void axpy(const double *restrict a, double *restrict x,
                 double *restrict y, int n) {
  for (int i = 0; i < n; i++)
    y[i] += a[0] * x[i] + a[1];
}
static void in_place(const double *a, double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = x[i] * x[i] * a[0] - a[1] * y[i];
    y[i] -= a[2] * y[i] * a[3];
  }
}
static void recurrence(const double *a, double *x, double *y, int n) {
  for (int i = 1; i < n; i++)
    x[i] = a[0] * x[i - 1] + a[1] * y[i];
}
static void ahead(const double *a, double *x, double *y, int n) {
  for (int i = 0; i < n - 1; i++) {
    y[i] += a[0] * x[i + 1];
    x[i] += a[1] * y[i + 1] * 0.5;
  }
}
static void scatter(const double *restrict a, double *restrict x,
                    double *restrict y, int n) {
  for (int i = 0; i < n; i++)
    y[Place[i] % n] += a[0] * x[i] * a[1];
}
static void twice(const double *a, double *x, double *y, int n) {
  for (int i = 0; i < n - 1; i++) {
    y[i] = a[0] * x[i];
    y[i + 1] = y[i] + a[1] * x[i + 1];
  }
}
static void bodies(const double *a, double *x, double *y, int n) {
  body *all = (body *)x;
  for (int b = 0; b < n / 4; b++)
    for (int d = 0; d < 3; d++)
      all[b].position[d] += a[d] * all[b].mass;
  for (int b = 0; b < n / 4; b++)
    y[b] += all[b].position[0] * a[3] + all[b].position[1] * a[2];
}
static void chosen(const double *restrict a, double *restrict x,
                   double *restrict y, int n) {
  for (int i = 0; i < n; i++)
    y[i] +=
        a[0] * (x[i] > 0 ? x[i] : -0.5 * x[i]) + fabs(a[1]) * fmax(x[i], 0.25);
}
static void work_space(const double *a, double *x, double *y, int n) {
  double local[Most], *heap = malloc((size_t)n * sizeof *heap);
  for (int i = 0; i < n; i++) {
    local[i] = a[0] * x[i];
    heap[i] = a[1] + a[2] * y[i];
  }
  for (int i = 0; i < n; i++)
    y[n - 1 - i] += local[i] * a[3] - heap[i] * 0.5;
  free(heap);
}
static void summed(const double *restrict a, double *restrict x,
                   double *restrict y, int n) {
  double sum = 0, last = 0;
  for (int i = 0; i < n; i++) {
    sum += a[0] * x[i];
    y[i] += a[1] * x[i];
    last = a[2] * x[i];
  }
  x[0] += sum + last;
}
static void met(const double *a, double *x, double *y, int n) {
  double *behind = y + 1, *before = y; // overlap
  for (int i = 0; i < n - 1; i++)
    behind[i] += a[0] * before[i] + a[1];
  x[0] += y[n - 1];
}
static void down(const double *a, double *x, double *y, int n) {
  for (int i = n; i-- > 0;)
    y[i] = y[i] - a[0] * x[i] / a[1];
}
static void unbounded(const double *restrict a, double *restrict x,
                      double *restrict y, int n) {
  double slope = exp(a[0] * 1000); // infinite, and multiplied by zeros
  for (int i = 0; i < n; i++)
    y[i] += (slope > 1e300 ? a[1] : slope) * x[i];
}
static void narrow(const double *a, double *x, double *y, int n) {
  float local[Most], by = (float)a[0];
  for (int i = 0; i < n; i++)
    local[i] = by * (float)x[i];
  for (int i = 0; i < n; i++)
    local[i] += (float)a[1] * 0.5f;
  for (int i = 0; i < n; i++)
    y[i] += local[i];
}
static void weighted(const double *restrict a, double *restrict x,
                     double *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = y[i] + Place[i] * (a[0] + a[1] * 0.5 * Place[i]);
    x[i] += a[2] - a[3] / (1 + Place[i]);
  }
}
static void squares(const double *restrict a, double *restrict x,
                    double *restrict y, int n) {
  for (int i = 1; i < n - 1; i++)
    y[i] = 0.5 * y[i] + Place[i] * (x[i + 1] - 2 * x[i] + x[i - 1]) * x[i];
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] * 0.75;
}
// The last of what the loop stores is used behind it.
static void ending(const double *a, double *x, double *y, int n) {
  for (int i = 1; i < n; i++)
    x[0] -= x[i] * y[i] * 0.25;
  y[0] += x[0] * x[0];
  for (int i = 1; i < n; i++) {
    y[i] = y[i] * x[0];
    x[i] -= y[i] * x[i] * 0.5;
  }
  y[n - 1] += y[n - 1] * x[n - 1];
}
static void eliminate(const double *a, double *x, double *y, int n) {
  double m[Most / 2][Most / 2];
  const int size = n / 2;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      m[i][j] = (i == j ? 4 : 0) + x[(5 * i + 7 * j) % n] * a[0];
  for (int k = 0; k < size; k++)
    for (int i = k + 1; i < size; i++) {
      m[i][k] /= m[k][k];
      for (int j = k + 1; j < size; j++)
        m[i][j] -= m[i][k] * m[k][j];
    }
  for (int i = 0; i < size; i++)
    y[i] += m[i][i] * a[1];
}
static void nested(const double *restrict a, double *restrict x,
                   double *restrict y, int n) {
  double rows[3][Factors];
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < Factors; k++)
      rows[r][k] = a[k] * a[r];
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < n; i++)
      y[i] += rows[r][0] * (rows[r][1] * x[i] + rows[r][2] * 0.5 + rows[r][3]);
}

extern void __enzyme_fwddiff_one(void *, ...);
extern void __enzyme_fwddiff_many(void *, ...);

typedef struct {
  double a[Factors], x[Most], y[Most];
} state;

static void seed(state *s, int k) {
  memset(s, 0, sizeof *s);
  if (k % 4 == 3)
    return; // moves nothing
  if (k < Factors)
    s->a[k] = 1;
  for (int i = 0; i < Most; i++) {
    s->x[i] = k % 3 ? 0 : 0.25 * (i % 5) - k;
    s->y[i] = k % 5 ? 0 : 1.0 / (i + k + 1);
  }
  if (k == 12)
    s->a[0] = s->a[1] = s->a[2] = s->a[3] = 0.5;
}

#define CHECK_TO(TOLERANCE, MARKER, F)                                         \
  for (unsigned c = 0; c < sizeof Counts / sizeof *Counts; c++) {              \
    state now = At, alone[Directions], all[Directions];                        \
    for (int k = 0; k < Directions; k++) {                                     \
      seed(&alone[k], k);                                                      \
      seed(&all[k], k);                                                        \
      now = At;                                                                \
      MARKER##_one((void *)F, enzyme_dup, now.a, alone[k].a, enzyme_dup,       \
                   now.x, alone[k].x, enzyme_dup, now.y, alone[k].y,           \
                   enzyme_const, Counts[c]);                                   \
    }                                                                          \
    state by_one = now;                                                        \
    now = At;                                                                  \
    MARKER##_many((void *)F, enzyme_width, Directions, enzyme_dupv,            \
                  sizeof(state), now.a, all[0].a, enzyme_dupv, sizeof(state),  \
                  now.x, all[0].x, enzyme_dupv, sizeof(state), now.y,          \
                  all[0].y, enzyme_const, Counts[c]);                          \
    const double *p = (const double *)all, *q = (const double *)alone;         \
    for (int i = 0; i < Directions * Numbers; i++)                             \
      adze_near(#F, p[i], q[i], TOLERANCE);                                    \
    p = (const double *)&now, q = (const double *)&by_one;                     \
    for (int i = 0; i < Numbers; i++)                                          \
      adze_near(#F ", primal", p[i], q[i], TOLERANCE);                         \
  }
#define CHECK(MARKER, F) CHECK_TO(1e-12, MARKER, F)

#if ADZE_REVERSE
extern void __enzyme_autodiff_one(void *, ...);
extern void __enzyme_autodiff_many(void *, ...);

// Adjoints of x of all directions go into one sum.
#define CHECK_SUM(F)                                                           \
  for (unsigned c = 0; c < sizeof Counts / sizeof *Counts; c++) {              \
    state now = At, alone[Directions], all[Directions];                        \
    double one[Most] = {0}, sum[Most] = {0};                                   \
    for (int k = 0; k < Directions; k++) {                                     \
      seed(&alone[k], k);                                                      \
      seed(&all[k], k);                                                        \
      now = At;                                                                \
      __enzyme_autodiff_one((void *)F, enzyme_dup, now.a, alone[k].a,          \
                            enzyme_dup, now.x, one, enzyme_dup, now.y,         \
                            alone[k].y, enzyme_const, Counts[c]);              \
    }                                                                          \
    now = At;                                                                  \
    __enzyme_autodiff_many((void *)F, enzyme_width, Directions, enzyme_dupv,   \
                           sizeof(state), now.a, all[0].a, enzyme_dupv, 0L,    \
                           now.x, sum, enzyme_dupv, sizeof(state), now.y,      \
                           all[0].y, enzyme_const, Counts[c]);                 \
    const double *p = (const double *)all, *q = (const double *)alone;         \
    for (int i = 0; i < Directions * Numbers; i++)                             \
      adze_near(#F, p[i], q[i], 1e-12);                                        \
    for (int i = 0; i < Most; i++)                                             \
      adze_near(#F ", sum", sum[i], one[i], 1e-12);                            \
  }
#endif

static const int Counts[] = {2, 7, 8, 9, Most};
static state point(void) {
  state at;
  for (int i = 0; i < Factors; i++)
    at.a[i] = 0.75 + 0.125 * i;
  for (int i = 0; i < Most; i++) {
    at.x[i] = sin(i + 0.5);
    at.y[i] = cos(2 * i);
  }
  return at;
}

#define CHECK_ALL(MARKER)                                                      \
  CHECK(MARKER, axpy)                                                          \
  CHECK(MARKER, in_place)                                                      \
  CHECK(MARKER, recurrence)                                                    \
  CHECK(MARKER, ahead)                                                         \
  CHECK(MARKER, scatter)                                                       \
  CHECK(MARKER, twice)                                                         \
  CHECK(MARKER, bodies) CHECK(MARKER, chosen) CHECK(MARKER, work_space)        \
      CHECK(MARKER, summed) CHECK(MARKER, met) CHECK(MARKER, down)             \
          CHECK(MARKER, unbounded) CHECK_TO(1e-5, MARKER, narrow)              \
              CHECK(MARKER, weighted) CHECK(MARKER, nested)                    \
                  CHECK(MARKER, squares) CHECK(MARKER, ending)                 \
                      CHECK(MARKER, eliminate)

#if ADZE_FORWARD
ADZE_TEST_FORWARD(direction_loops) {
  const state At = point();
  CHECK_ALL(__enzyme_fwddiff)
}
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(direction_loops_back) {
  const state At = point();
  CHECK_ALL(__enzyme_autodiff)
  CHECK_SUM(axpy) CHECK_SUM(weighted) CHECK_SUM(chosen)
}
#endif
