// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils whose reverse adds to each element once: of every length around the
// least one for which that is done, with numbers that iterations hand on, with
// what they begin and end with, backwards, with moving pointers, in steps over
// time, and next to arrays at a distance that is not known.
#include "check.h"

#include <stdlib.h>

#define N 40
#define CALLED __attribute__((noinline)) static

CALLED void wide(int n, const double *restrict x, double *restrict y) {
  for (int i = 3; i < n - 3; ++i)
    y[i] = 0.3 * x[i - 3] * x[i] - x[i + 3] * x[i] + 0.1 * y[i];
}

// One number is handed on. It begins with the caller's, and is read behind.
CALLED double one_handed_on(int n, double before, const double *restrict x,
                            double *restrict y) {
  double left = before;
  for (int i = 0; i + 1 < n; ++i) {
    double here = x[i] * x[i];
    y[i] = left * x[i + 1] + 0.5 * here;
    left = here;
  }
  return left;
}

// The same to all but the first.
CALLED void constant_handed_on(int n, double first, double other,
                               const double *restrict x, double *restrict y) {
  double factor = first, slope = 3.0;
  for (int i = 1; i + 1 < n; ++i) {
    y[i] = factor * x[i - 1] - slope * x[i + 1];
    factor = other;
    slope = 0.5;
  }
}

// From three iterations before, and from four, which is too far.
CALLED double three_handed_on(int n, const double *restrict x,
                              double *restrict y) {
  double a = x[0], b = 0.25, c = x[1];
  for (int i = 1; i + 1 < n; ++i) {
    double d = x[i + 1];
    y[i] = a * d + 0.5 * b * c * x[i - 1];
    a = b;
    b = c;
    c = d;
  }
  return a + 2.0 * b * c;
}

CALLED double four_handed_on(int n, const double *restrict x,
                             double *restrict y) {
  double a = 0.1, b = 0.2, c = 0.3, d = 0.4;
  for (int i = 1; i + 1 < n; ++i) {
    y[i] = a * x[i] + 0.5 * b * c * d * x[i - 1];
    a = b;
    b = c;
    c = d;
    d = x[i + 1];
  }
  return a * b + c * d;
}

// What goes round and round beside the stencil.
CALLED double running(unsigned n, const double *restrict x,
                      double *restrict y) {
  double sum = 0.5;
  for (unsigned i = 1; i < n - 1; ++i) {
    y[i] = 0.5 * x[i - 1] * x[i] + x[i + 1] * sum;
    sum = 0.75 * sum + 0.1 * x[i];
  }
  return sum;
}

CALLED void backwards(const double *restrict end, const double *restrict begin,
                      double *restrict y) {
  while (end != begin) {
    --end;
    *--y += end[-1] * end[1] - 0.5 * end[0];
  }
}

// Every second element, and pairs.
CALLED void strided(long n, const double (*restrict x)[2],
                    double (*restrict y)[2]) {
  for (long i = 1; i < n - 1; ++i) {
    y[i][0] = x[i - 1][1] * x[i + 1][0] + x[i][0];
    y[i][1] = x[i - 1][0] - x[i][1] * x[i + 1][1];
  }
}

// A block of the function's own, whose shadow nobody clears.
CALLED double own(int n, const double *x) {
  double *t = malloc((size_t)n * sizeof *t), s = 0;
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * (i + 1);
  for (int i = 1; i < n - 1; ++i)
    s += t[i - 1] * t[i + 1] - 0.5 * t[i];
  free(t);
  return s;
}

// Rows at distances that the compiler does not know, and may be none.
CALLED void cells(int n, int row, const double *x, double *y) {
  const double *up = x - row, *down = x + row;
  for (int i = 1; i < n - 1; ++i)
    y[i] = x[i - 1] * x[i] + x[i + 1] + 0.5 * up[i] * down[i];
}

CALLED void steps(int n, int times, double *u, double *v) {
  for (int t = 0; t < times; ++t) {
    for (int i = 1; i < n - 1; ++i)
      v[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * (1 + u[i] * u[i]);
    double *swap = u;
    u = v;
    v = swap;
  }
}

CALLED void in_place(int n, int times, double *u) {
  for (int t = 0; t < times; ++t) {
    double left = u[0];
    for (int i = 1; i < n - 1; ++i) {
      double here = u[i];
      u[i] = here + 0.1 * (left - 2.0 * here + u[i + 1]) * here;
      left = here;
    }
  }
}

CALLED void single(int n, const float *restrict x, float *restrict y) {
  for (int i = 1; i < n - 1; ++i)
    y[i] = x[i - 1] * x[i + 1] - 0.5f * x[i];
}

static void gathered(const double *x, double *y) {
  double t[N + 8], u[N + 8], w[3 * N];
  double s = 0;
  for (int i = 0; i < N + 8; ++i) {
    t[i] = 0.5 * x[i % N];
    u[i] = 0.25 - x[(i + 7) % N];
  }
  for (int i = 0; i < 3 * N; ++i)
    w[i] = 0.1 * x[i % N] - 0.2 * x[(i * 3) % N];
  for (int n = 15; n < 28; ++n) {
    wide(n, x, t);
    s += one_handed_on(n, u[n], x + 1, t);
    constant_handed_on(n, x[3], x[n], t, w);
    s += three_handed_on(n, t, u);
    s += four_handed_on(n, x, w);
    s += running((unsigned)n, u, t);
    backwards(x + n, x + 1, w + n);
    s += own(n, x);
    y[n] = t[n / 2] * u[n / 3] + w[n];
  }
  strided(N / 2, (const double(*)[2])x, (double(*)[2])u);
  cells(N, N, w + N, t);
  cells(N, 0, w + N, u);
  cells(N, 1, w + N, w);
  steps(N, 3, t, u);
  steps(N, 4, w, w + N);
  in_place(N, 3, u);
  for (int i = 0; i < N; ++i)
    s += t[i] * u[i] + w[i] * w[2 * N - 1 - i] * 0.25;
  for (int i = 0; i < 15; ++i)
    y[i] = u[i] - t[i + 20];
  y[28] = s;
}

ADZE_TEST_MAP(gathered, N, 29,
              ADZE_AT(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, -0.1, -0.2,
                      -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, 0.15, 0.25,
                      0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, -0.15, -0.25,
                      -0.35, -0.45, -0.55, -0.65, -0.75, -0.85, -0.95, 0.12,
                      0.23, 0.34, 0.56))

static void gathered_single(const float *x, float *y) {
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  for (int n = 15; n < 22; ++n)
    single(n, x, y);
  single(N, x, y);
}

ADZE_TEST_MAP_T(float, gathered_single, N, N,
                ADZE_AT(0.9f, 0.8f, 0.7f, 0.6f, 0.5f, 0.4f, 0.3f, 0.2f, 0.1f,
                        -0.1f, -0.2f, -0.3f, -0.4f, -0.5f, -0.6f, -0.7f, -0.8f,
                        -0.9f, 0.15f, 0.25f, 0.35f, 0.45f, 0.55f, 0.65f, 0.75f,
                        0.85f, 0.95f, -0.15f, -0.25f, -0.35f, -0.45f, -0.55f,
                        -0.65f, -0.75f, -0.85f, -0.95f, 0.12f, 0.23f, 0.34f,
                        0.56f))
