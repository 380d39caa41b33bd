// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that nests of loops read several times, and that are overwritten
// later: the plan may keep a copy of them. And some that look alike.
// ADZE: vectorized
#include "check.h"

#include <stdlib.h>

enum { Most = 64 };

// Unknown to the optimizer.
static volatile int given = 3, none = 0, two = 2;

static void set(double *a, const double *x, int count, int n) {
  for (int j = 0; j < count; ++j)
    a[j] = x[j % n] + 0.05 * j;
}

static double total(const double *a, int count) {
  double s = 0;
  for (int j = 0; j < count; ++j)
    s += a[j] * (1 + 0.1 * j);
  return s;
}

static double mix(double a, double b, double c) {
  return 0.3 * (a * b + b * c + a * c);
}

// Two buffers that change roles.
static void line(const double *restrict u, double *restrict next, int n) {
  for (int i = 1; i < n - 1; ++i)
    next[i] = mix(u[i - 1], u[i], u[i + 1]);
}
double swapped(const double *x, int n) {
  double a[Most], b[Most], *u = a, *next = b;
  set(a, x, 4 * n, n);
  set(b, x, 4 * n, n);
  for (int t = 0, rounds = given; t < rounds; ++t) {
    line(u, next, 4 * n);
    double *last = u;
    u = next;
    next = last;
  }
  return total(u, 4 * n) + next[2];
}
ADZE_TEST_ARRAY(swapped, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// The same in a function of its own, in memory of the heap, with other steps.
__attribute__((noinline)) static void step(const double *restrict u,
                                           double *restrict next, int from,
                                           int to, int by) {
  for (int i = from; i < to; i += by)
    next[i] = mix(u[i - 1], u[i], u[i + 1]);
}
double steps(const double *x, int n) {
  double *u = malloc(4 * n * sizeof(double));
  double *next = malloc(4 * n * sizeof(double));
  set(u, x, 4 * n, n);
  set(next, x, 4 * n, n);
  for (int t = 0, rounds = given; t < rounds; ++t) {
    step(u, next, two - 1, 4 * n - 1, two);
    step(next, u, 3, 4 * n - 2, given);
    step(u, next, 3, none, two); // never
  }
  double s = total(u, 4 * n) + total(next, 4 * n);
  free(u);
  free(next);
  return s;
}
ADZE_TEST_ARRAY(steps, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// From the end to the beginning.
double backwards(const double *x, int n) {
  double a[Most], b[Most];
  set(a, x, 4 * n, n);
  set(b, x, 4 * n, n);
  for (int t = 0, rounds = given; t < rounds; ++t) {
    for (int i = 4 * n - 2; i >= 1; --i)
      b[i] = mix(a[i - 1], a[i], a[i + 1]);
    for (int i = 0; i < 4 * n; ++i)
      a[i] = 0.5 * a[i] + b[i];
  }
  return total(a, 4 * n);
}
ADZE_TEST_ARRAY(backwards, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Rows: all of a grid, a part of each, columns before rows, none, a triangle.
__attribute__((noinline)) static void grid(const double *restrict u,
                                           double *restrict next, int rows,
                                           int columns, int width) {
  for (int i = 1; i < rows - 1; ++i)
    for (int j = 1; j < columns - 1; ++j) {
      int at = i * width + j;
      next[at] = mix(u[at - width], u[at], u[at + 1]) + u[at] * u[at + width];
    }
}
__attribute__((noinline)) static void
turned(const double *restrict u, double *restrict next, int rows, int columns) {
  for (int j = 1; j < columns - 1; ++j)
    for (int i = 1; i < rows - 1; ++i) {
      int at = i * columns + j;
      next[at] = mix(u[at - columns], u[at], u[at - 1]);
    }
}
__attribute__((noinline)) static void triangle(const double *restrict u,
                                               double *restrict next, int rows,
                                               int columns) {
  for (int i = 1; i < rows - 1; ++i)
    for (int j = 1; j <= i && j < columns - 1; ++j) {
      int at = i * columns + j;
      next[at] = mix(u[at - columns], u[at], u[at + 1]);
    }
}
double grids(const double *x, int n) {
  double a[Most], b[Most];
  const int width = 6;
  set(a, x, width * width, n);
  set(b, x, width * width, n);
  for (int t = 0, rounds = two; t < rounds; ++t) {
    grid(a, b, width, width, width);
    grid(b, a, width, 4, width);
    grid(b, a, width, two, width);
    grid(b, a, two, width, width);
    turned(a, b, width, width);
    triangle(b, a, width, width);
  }
  return total(a, width * width) + b[8];
}
ADZE_TEST_ARRAY(grids, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 0.25))

// A window that slides: the nest reads fewer elements than it has iterations.
double slides(const double *x, int n) {
  double a[Most], b[Most];
  const int width = given;
  set(a, x, 3 * n, n);
  set(b, x, 3 * n, n);
  for (int t = 0, rounds = two; t < rounds; ++t) {
    for (int i = 0; i < 3 * n - width; ++i)
      for (int j = 0; j < width; ++j)
        b[i] += 0.1 * mix(a[i + j], a[i + j + 1], x[j]);
    for (int i = 0; i < 3 * n; ++i)
      a[i] = 0.5 * b[i];
  }
  return total(a, 3 * n);
}
ADZE_TEST_ARRAY(slides, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Single precision, in one copy for two arrays of one block.
float halves(const float *x, int n) {
  float a[2 * Most], *re = a, *im = a + 2 * n, s = 0;
  for (int i = 0; i < 4 * n; ++i)
    a[i] = x[i % n];
  for (int t = 0, rounds = two; t < rounds; ++t) {
    for (int i = 1; i < 2 * n - 1; ++i)
      s += (re[i - 1] * re[i] + im[i] * im[i + 1]) * (re[i + 1] - im[i - 1]);
    for (int i = 0; i < 4 * n; ++i)
      a[i] = 0.5f * a[i] + 0.01f * s;
  }
  return s;
}
ADZE_TEST_ARRAY_T(float, halves, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Read on a condition, which all iterations share, or not.
double chosen(const double *x, int n) {
  double a[Most], b[Most];
  set(a, x, 4 * n, n);
  set(b, x, 4 * n, n);
  for (int t = 0, rounds = given; t < rounds; ++t) {
    for (int i = 1; i < 4 * n - 1; ++i) {
      if (two > t)
        b[i] = mix(a[i - 1], a[i], a[i + 1]);
      if (a[i] > 0.3)
        b[i] += mix(a[i - 1], a[i], x[0]);
    }
    for (int i = 0; i < 4 * n; ++i)
      a[i] = 0.5 * b[i];
  }
  return total(a, 4 * n);
}
ADZE_TEST_ARRAY(chosen, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// What is read was written in the same round.
double inPlace(const double *x, int n) {
  double a[Most];
  set(a, x, 4 * n, n);
  for (int t = 0, rounds = given; t < rounds; ++t)
    for (int i = 1; i < 4 * n - 1; ++i)
      a[i] = mix(a[i - 1], a[i], a[i + 1]);
  return total(a, 4 * n);
}
ADZE_TEST_ARRAY(inPlace, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// The buffers are chosen in the loop that reads them.
double exchanged(const double *x, int n) {
  double a[Most], b[Most], *u = a, *v = b, s = 0;
  set(a, x, 4 * n, n);
  set(b, x, 4 * n, n);
  for (int i = 1; i < 4 * n - 1; ++i) {
    s += mix(u[i - 1], u[i], u[i + 1]);
    v[i] = 0.5 * s;
    double *last = u;
    u = v;
    v = last;
  }
  return s + a[3] + b[4];
}
ADZE_TEST_ARRAY(exchanged, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))
