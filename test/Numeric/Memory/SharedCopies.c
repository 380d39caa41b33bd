// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that several nests of a step read, or that are read at any index, and
// that the step overwrites: in whole or in part, from either end, on a
// condition, not at all. One copy may serve all that is read.
// ADZE: vectorized
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { Most = 64 };

// Unknown to the optimizer.
static volatile int given = 3, none = 0, one = 1, two = 2;

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

// Some twice, some never, and as many as 5 behind them.
static void scatter(int *at, int count) {
  for (int j = 0; j < count; ++j)
    at[j] = (j * j + 3) % (count - 5);
}

static double power(double a) { return 0.3 * a * a * a; }

static double mix(double a, double b, double c) {
  return 0.1 * (a * b + b * c + a * c) * (a - c);
}

// Of several neighbours, so that to keep all of them costs more than a copy.
static double near(const double *a) {
  return 0.1 * (a[0] * a[1] + a[1] * a[2] - a[2] * a[3] + a[3] * a[4] -
                a[4] * a[5] + a[5] * a[0]);
}

// Several nests before the array is overwritten.
static double steps(const double *x, int n, int rounds, int count) {
  double a[Most], b[Most], c[Most], s = 0;
  set(a, x, Most, n);
  set(b, x, Most, n);
  set(c, x, Most, n);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      b[i] += power(a[i]);
    for (int i = count - 1; i >= 0; --i)
      c[i] = power(a[i]) + b[i];
    for (int i = 1; i < count - 1; ++i)
      s += mix(a[i - 1], a[i], a[i + 1]);
    for (int i = 0; i < count; ++i)
      a[i] = 0.5 * a[i] + 0.1 * c[i];
  }
  return total(a, Most) + s + b[3];
}
double several(const double *x, int n) {
  return steps(x, n, given, 4 * n) + steps(x, n, two, one) +
         steps(x, n, two, none) + steps(x, n, none, n) + steps(x, n, one, two);
}
ADZE_TEST_ARRAY(several, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Something is written between two of them.
double interrupted(const double *x, int n) {
  double a[Most], b[Most], c[Most];
  const int count = 4 * n, rounds = given;
  set(a, x, Most, n);
  set(b, x, Most, n);
  set(c, x, Most, n);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      b[i] += power(a[i]);
    a[t] = 0.5 * b[1];
    for (int i = 0; i < count; ++i)
      c[i] += power(a[i]);
    for (int i = 0; i < count; ++i)
      a[i] = 0.5 * a[i] + 0.1 * b[i];
  }
  return total(a, Most) + total(c, Most);
}
ADZE_TEST_ARRAY(interrupted, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// The second nest on a condition.
double sometimes(const double *x, int n) {
  double a[Most], b[Most], s = 0;
  set(a, x, Most, n);
  set(b, x, Most, n);
  for (int t = 0, rounds = given, less = none; t < rounds; ++t) {
    for (int i = 0; i < 4 * n; ++i)
      b[i] += power(a[i]);
    if (rounds > 2)
      for (int i = 0; i < 2 * n; ++i)
        s += power(a[i]) * b[i];
    if (less)
      for (int i = 0; i < Most; ++i)
        s += power(a[i]) * b[i];
    for (int i = 0; i < 4 * n; ++i)
      a[i] = 0.5 * a[i] + 0.1 * b[i];
  }
  return total(a, Most) + s;
}
ADZE_TEST_ARRAY(sometimes, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Read at any index; overwritten in part.
static double part(const double *x, int n, int from, int to, int rounds) {
  double a[Most], b[Most], s = 0;
  int at[Most];
  set(a, x, Most, n);
  set(b, x, Most, n);
  scatter(at, Most);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < Most; ++i)
      b[i] += near(&a[at[i]]);
    for (int i = 0; i < n; ++i)
      s += near(&a[at[n - i]]);
    for (int i = from; i < to; ++i)
      a[i] = 0.5 * a[i] + 0.1 * b[i];
  }
  return total(a, Most) + total(b, Most) + s;
}
double parts(const double *x, int n) {
  return part(x, n, none, Most, given) + part(x, n, n, Most / 2, given) +
         part(x, n, two, Most - 1, two) + part(x, n, given, none, given) +
         part(x, n, given, given + 1, given) + part(x, n, none, Most, none) +
         part(x, n, none, Most / 2, one);
}
ADZE_TEST_ARRAY(parts, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// From the end, every other element, two ranges, and single elements.
double ends(const double *x, int n) {
  double a[Most], b[Most], s = 0;
  const int count = 5 * n, rounds = given, few = two;
  int at[Most];
  set(a, x, Most, n);
  set(b, x, Most, n);
  scatter(at, count);
  for (int t = 0; t < rounds; ++t) {
    a[0] = 0.5 * b[1];
    for (int i = 0; i < count; ++i)
      b[i] += near(&a[at[i]]);
    for (int i = 0; i < count; ++i)
      s += near(&a[at[count - 1 - i]]);
    for (int i = count - 1; i >= n; --i)
      a[i] = 0.5 * a[i] + 0.1 * b[i];
    for (int i = 0; i < few; ++i)
      a[i] += 0.1 * b[i];
  }
  return s + total(a, Most) + b[2];
}
double every(const double *x, int n) {
  double a[Most], b[Most], s = 0;
  const int count = 5 * n, rounds = given;
  int at[Most];
  set(a, x, Most, n);
  set(b, x, Most, n);
  scatter(at, count);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      b[i] += near(&a[at[i]]);
    for (int i = 0; i < count; ++i)
      s += near(&a[at[count - 1 - i]]);
    for (int i = 1; i < count - 2; i += 2)
      a[i] = 0.5 * a[i] + 0.1 * b[i];
    a[count - 1] = b[3];
  }
  return s + total(a, Most) + b[2];
}
ADZE_TEST_ARRAY(ends, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))
ADZE_TEST_ARRAY(every, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Neighbours on a ring, and rows of a grid.
double ring(const double *x, int n) {
  double a[Most], b[Most];
  const int w = two + given;
  set(a, x, Most, n);
  set(b, x, Most, n);
  for (int t = 0, rounds = given; t < rounds; ++t) {
    for (int i = 0; i < w; ++i)
      for (int j = 0; j < w; ++j) {
        int left = j == 0 ? w - 1 : j - 1, right = j == w - 1 ? 0 : j + 1;
        int up = i == 0 ? w - 1 : i - 1;
        b[i * w + j] = mix(a[i * w + left], a[i * w + j], a[i * w + right]) +
                       mix(a[up * w + j], a[i * w + j], x[j % n]);
      }
    for (int i = 0; i < w; ++i)
      for (int j = 0; j < w; ++j)
        a[i * w + j] += 0.2 * b[i * w + j];
  }
  return total(a, Most);
}
ADZE_TEST_ARRAY(ring, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Another part in each step, which no copy made before knows of.
double shifting(const double *x, int n) {
  double a[Most], b[Most];
  int at[Most];
  set(a, x, Most, n);
  set(b, x, Most, n);
  scatter(at, 4 * n);
  const int rounds = given, length = given + 1;
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < 4 * n; ++i)
      b[i] += near(&a[at[i]]);
    for (int i = 3 * t; i < 3 * t + length; ++i)
      a[i] = 0.5 * a[i] + 0.1 * b[i];
  }
  return total(a, Most) + total(b, Most);
}
ADZE_TEST_ARRAY(shifting, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Overwritten in the loop around, too, and after it; by memcpy; by a callee.
__attribute__((noinline)) static void fill(double *a, const double *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = 0.5 * a[i] + 0.1 * b[i];
}
static double others(const double *x, int n, int who) {
  double a[Most], b[Most], s = 0;
  int at[Most];
  set(a, x, Most, n);
  set(b, x, Most, n);
  scatter(at, 4 * n);
  const int rounds = given, repeats = two;
  for (int r = 0; r < repeats; ++r) {
    if (who == 1)
      a[4 * n - r - 1] = x[0] * b[r];
    for (int t = 0; t < rounds; ++t) {
      for (int i = 0; i < 4 * n; ++i)
        b[i] += near(&a[at[i]]);
      for (int i = 0; i < 4 * n; ++i)
        s += near(&a[at[4 * n - 1 - i]]);
      for (int i = 0; i < 3 * n; ++i)
        a[i] = 0.5 * a[i] + 0.1 * b[i];
      if (who == 2)
        fill(a + t, b, 4 * n);
      if (who == 3)
        memcpy(a + n, b + 2, 2 * n * sizeof(double));
    }
  }
  if (who == 4)
    a[4 * n - 1] = b[1];
  return s + total(a, Most) + total(b, Most);
}
double written(const double *x, int n) {
  double s = 0;
  for (int who = 0; who < 5; ++who)
    s += others(x, n, who);
  return s;
}
double again(const double *x, int n) { return others(x, n, one); }
double later(const double *x, int n) { return others(x, n, 4); }
ADZE_TEST_ARRAY(written, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))
ADZE_TEST_ARRAY(again, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))
ADZE_TEST_ARRAY(later, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Two buffers that change roles.
static void product(const double *restrict a, double *restrict b, const int *at,
                    int n) {
  for (int i = 0; i < n; ++i)
    b[i] = near(&a[at[i]]);
}
double swapped(const double *x, int n) {
  double a[Most], b[Most], *u = a, *next = b;
  int at[Most];
  set(a, x, Most, n);
  set(b, x, Most, n);
  scatter(at, 4 * n);
  for (int t = 0, rounds = given; t < rounds; ++t) {
    product(u, next, at, 4 * n);
    double *last = u;
    u = next;
    next = last;
  }
  return total(u, 4 * n) + next[2];
}
ADZE_TEST_ARRAY(swapped, 5, ADZE_AT(1.0, 0.5, 0.75, -0.5, 1.5))

// Vectors in one block, some of which overlap by an element or two.
static double vectors(const double *x, int n, int count, int next, int rounds) {
  double work[Most], *u = work, *v = u + next, *w = v + next, s = 0;
  int at[Most];
  set(work, x, Most, n);
  scatter(at, count);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      v[i] = 0.5 * v[i] + near(&u[at[i]]);
    for (int i = 0; i < count; ++i)
      s += power(u[i]) * v[i];
    for (int i = 0; i < count; ++i) {
      w[i] += 0.2 * power(u[i]) * v[i];
      s += w[i] * power(v[i]);
    }
    for (int i = count - 1; i >= 0; --i)
      u[i] = 0.5 * w[i] + 0.1 * power(u[i]);
  }
  return s + total(work, Most);
}
double workspace(const double *x, int n) {
  const int count = 4 * n;
  return vectors(x, n, count, count, given) +
         vectors(x, n, count, count - 1, given) +
         vectors(x, n, count, count + 1, two) + vectors(x, n, count, 1, given) +
         vectors(x, n, count, none, two);
}
ADZE_TEST_ARRAY(workspace, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// The same where the parts are seen to be apart.
double apart(const double *x, int n) {
  const int count = 2 * n + given, rounds = given;
  double *work = malloc(3 * count * sizeof(double)), s = 0;
  double *u = work, *v = u + count, *w = v + count;
  int at[Most];
  for (int i = 0; i < 3 * count; ++i)
    work[i] = x[i % n] + 0.02 * i;
  scatter(at, count);
  for (int t = 0; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      v[i] = 0.5 * v[i] + power(u[at[i]]);
    for (int i = 0; i < count; ++i)
      s += power(u[i]) * v[i];
    for (int i = 0; i < count; ++i) {
      w[i] += 0.2 * power(u[i]) * v[i];
      s += power(v[i]);
    }
    for (int i = count - 1; i >= 0; --i)
      u[i] = 0.5 * w[i] + 0.1 * power(u[i]);
  }
  s += total(work, 3 * count);
  free(work);
  return s;
}
ADZE_TEST_ARRAY(apart, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))

// Single precision, in memory of the heap that ends where the range does.
float blocks(const float *x, int n) {
  int count = 4 * n;
  float *a = malloc(count * sizeof(float)), s = 0;
  for (int i = 0; i < count; ++i)
    a[i] = x[i % n];
  for (int t = 0, rounds = given; t < rounds; ++t) {
    for (int i = 0; i < count; ++i)
      s += a[i] * a[(3 * i + 1) % count] * a[(i + t) % count];
    for (int i = 0; i < count; ++i)
      s += 0.5f * a[i] * a[i];
    for (int i = 0; i < count; ++i)
      a[i] = 0.5f * a[i] + 0.01f * s;
  }
  free(a);
  return s;
}
ADZE_TEST_ARRAY_T(float, blocks, 4, ADZE_AT(1.0, 0.5, -0.75, 0.5))
