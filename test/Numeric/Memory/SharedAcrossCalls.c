// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that read one array, and may share a copy of it: with calls between
// them that may end the program, parts of what the first one reads, and the
// last of them overwrites what it reads. And some that look alike.
// ADZE: vectorized
#include "check.h"

#include <stdlib.h>

// Unknown to the optimizer.
static volatile int given = 3, none = 0;
static volatile double limit = 1e100;

// Ends the program, or does not.
__attribute__((noinline)) static double check(double s) {
  if (s > limit)
    exit(3);
  return s;
}

static double *filled(const double *x, int n, int count) {
  double *a = (double *)malloc((size_t)(count + 1) * sizeof *a);
  for (int i = 0; i < count; ++i)
    a[i] = x[i % n] + 0.03 * i;
  return a;
}

static double total(const double *a, int count) {
  double s = 0;
  for (int i = 0; i < count; ++i)
    s += a[i] * (1 + 0.1 * i);
  return s;
}

// As conjugate gradients do.
static double steps(const double *x, int n, int count) {
  double *p = filled(x, n, count), *q = filled(x, n, count);
  double *r = filled(x, n, count), s = 0;
  for (int t = 0, rounds = given; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      q[i] = 0.5 * q[i] * p[i];
    double a = 0, b = 0;
    for (int i = 0; i < count; ++i)
      a += p[i] * q[i];
    a = 0.1 * check(a);
    for (int i = 0; i < count; ++i)
      r[i] += a * p[i] - 0.1 * a * q[i];
    for (int i = 0; i < count; ++i)
      b += r[i] * r[i];
    b = 0.01 * check(b);
    for (int i = 0; i < count; ++i)
      p[i] = r[i] + b * p[i];
    s += b;
  }
  s += total(p, count) + total(r, count);
  free(p), free(q), free(r);
  return s;
}
double conjugate(const double *x, int n) {
  return steps(x, n, 4 * n) + steps(x, n, 1) + steps(x, n, none);
}
ADZE_TEST_ARRAY(conjugate, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// The second nest reads a part of what the first one does, the third one more.
static double parts(const double *x, int n, int count, int more) {
  double *p = filled(x, n, count + more), s = 0;
  for (int t = 0, rounds = given; t < rounds; ++t) {
    double a = 0, b = 0;
    for (int i = 0; i < count; ++i)
      a += p[i] * p[i];
    a = check(0.1 * a);
    for (int i = 1; i < count - 1; ++i)
      b += p[i] * p[i] * a;
    b = check(0.1 * b);
    for (int i = 0; i < count + more; ++i)
      s += p[i] * p[i] * b;
    for (int i = 0; i < count + more; ++i)
      p[i] = 0.5 * p[i] + 0.01 * s;
  }
  s += total(p, count + more);
  free(p);
  return s;
}
double subset(const double *x, int n) {
  return parts(x, n, 3 * n, n) + parts(x, n, 2, given) + parts(x, n, 1, none) +
         parts(x, n, none, n);
}
ADZE_TEST_ARRAY(subset, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Each nest on a condition of its own.
static double chosen(const double *x, int n, int first, int second) {
  const int count = 3 * n;
  double *p = filled(x, n, count), s = 0;
  for (int t = 0, rounds = given; t < rounds; ++t) {
    double a = 0.2, b = 0;
    if (first > t)
      for (int i = 0; i < count; ++i)
        a += p[i] * p[i];
    a = check(0.1 * a);
    if (second > t)
      for (int i = 0; i < count; ++i)
        b += p[i] * p[i] * a;
    b = check(0.1 * b);
    for (int i = 0; i < count; ++i)
      p[i] = 0.5 * p[i] + 0.1 * p[i] * b;
    s += a + b;
  }
  s += total(p, count);
  free(p);
  return s;
}
double conditional(const double *x, int n) {
  return chosen(x, n, given, none) + chosen(x, n, none, given) +
         chosen(x, n, given, given) + chosen(x, n, 1, given);
}
ADZE_TEST_ARRAY(conditional, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// In place: what is read ahead is old, what is read behind is new.
static double waves(const double *x, int n, int count, int back) {
  double *u = filled(x, n, count), s = 0;
  for (int t = 0, rounds = given; t < rounds; ++t) {
    double a = 0;
    for (int i = 0; i < count; ++i)
      a += u[i] * u[i];
    a = 0.1 * check(a);
    if (back) {
      for (int i = count - 1; i > 0; --i)
        u[i] = u[i] * u[i - 1] * a + 0.5 * u[i];
    } else {
      for (int i = 0; i < count - 1; ++i)
        u[i] = u[i] * u[i + 1] * a + 0.5 * u[i];
    }
    for (int i = 1; i < count; ++i)
      u[i] = u[i] * u[i - 1] * a + 0.5 * u[i];
    s += u[0] * a;
  }
  s += total(u, count);
  free(u);
  return s;
}
double in_place(const double *x, int n) {
  return waves(x, n, 3 * n, none) + waves(x, n, 3 * n, 1) +
         waves(x, n, 1, none);
}
ADZE_TEST_ARRAY(in_place, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Rows of a matrix, in place and by columns.
double rows(const double *x, int n) {
  const int wide = n + 1, high = given;
  double *u = filled(x, n, wide * high), s = 0;
  for (int t = 0, rounds = given; t < rounds; ++t) {
    double a = 0;
    for (int i = 0; i < high; ++i)
      for (int j = 0; j < wide; ++j)
        a += u[i * wide + j] * u[i * wide + j];
    a = 0.1 * check(a);
    for (int i = 0; i < high; ++i)
      for (int j = 0; j < wide; ++j)
        u[i * wide + j] = u[i * wide + j] * a + 0.3 * u[i * wide + j];
    for (int i = 0; i + 1 < high; ++i)
      for (int j = 0; j < wide; ++j)
        u[i * wide + j] *= u[(i + 1) * wide + j] * a;
    for (int i = 1; i < high; ++i)
      for (int j = 0; j < wide; ++j)
        u[i * wide + j] *= 1 + 0.1 * u[(i - 1) * wide + j] * a;
    s += a;
  }
  s += total(u, wide * high);
  free(u);
  return s;
}
ADZE_TEST_ARRAY(rows, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Two names of one array: the write is in front of the read.
static double twisted(double *u, double *v, const double *x, int n, int count) {
  double s = 0;
  for (int i = 0; i < count + 2; ++i)
    u[i] = x[i % n] + 0.03 * i;
  for (int t = 0, rounds = given; t < rounds; ++t) {
    double a = 0;
    for (int i = 0; i < count; ++i)
      a += u[i] * u[i];
    a = 0.1 * check(a);
    for (int i = 0; i < count; ++i) {
      v[i] = 0.5 * u[i] * a;
      s += u[i] * u[i];
      u[i] = 0.5 * u[i] * u[i] + 0.1 * v[i];
    }
  }
  return s + total(u, count);
}
double aliased(const double *x, int n) {
  const int count = 2 * n;
  double *u = (double *)malloc((size_t)(count + 2) * sizeof *u);
  double *v = (double *)malloc((size_t)(count + 2) * sizeof *v);
  const double s = twisted(u, v, x, n, count) + twisted(u, u, x, n, count) +
                   twisted(u, u + 1, x, n, count);
  free(u), free(v);
  return s;
}
ADZE_TEST_ARRAY(aliased, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))
