// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops whose last nest stands on a condition: the optimizer tests in two
// blocks whether there is another step, and leaves the loop to two places.
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define N 6

static void rates(int n, const double *restrict s, double *restrict k) {
  for (int i = 0; i < n; i++)
    k[i] = sin(s[i]) * s[i] - 2.0 * s[i];
}

static double value(int n, const double *s) {
  double v = 0;
  for (int i = 0; i < n; i++)
    v += s[i] * s[i] * (i + 1);
  return v;
}

static void copy(int n, const double *from, double *to) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

// Functions, on the stack, a constant count.
double on_stack(const double *x, int n) {
  double s[N], k[N], at[N];
  copy(n, x, s);
  for (int t = 0; t < 5; t++) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  return value(n, s);
}
ADZE_TEST_ARRAY(on_stack, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -1.5, 0.6))

// The same in blocks of the heap.
double on_heap(const double *x, int n) {
  double *s = malloc(n * sizeof *s), *k = malloc(n * sizeof *k);
  double *at = malloc(n * sizeof *at);
  copy(n, x, s);
  for (int t = 0; t < 5; t++) {
    rates(n, s, k);
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    rates(n, at, k);
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i];
  }
  double v = value(n, s);
  free(at);
  free(k);
  free(s);
  return v;
}
ADZE_TEST_ARRAY(on_heap, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -1.5, 0.6))

// Two buffers that change roles.
double swapped(const double *x, int n) {
  double a[N], b[N], k[N], *now = a, *next = b;
  copy(n, x, now);
  for (int t = 0; t < 5; t++) {
    rates(n, now, k);
    for (int i = 0; i < n; i++)
      next[i] = now[i] + 0.1 * k[i];
    double *other = now;
    now = next;
    next = other;
  }
  return value(n, now);
}
ADZE_TEST_ARRAY(swapped, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -1.5, 0.6))

// Until a time is over, and what is left is a scalar of the last step, too.
double until(const double *x, int n) {
  double s[N], k[N], time = 0, last = 0;
  copy(n, x, s);
  while (time < 0.45) {
    rates(n, s, k);
    time += 0.1;
    if (n > 2) {
      for (int i = 0; i < n; i++)
        s[i] += 0.1 * k[i];
      last = k[2] * time;
    } else {
      last = s[0];
    }
  }
  return n > 2 ? value(n, s) + last : last;
}
ADZE_TEST_ARRAY(until, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -1.5, 0.6))

// The way is decided by what a step computes.
double decided(const double *x, int n) {
  double s = x[0], r = 1;
  for (int t = 0; t < 7; t++) {
    if (s > 1.0) {
      s *= 0.5 * x[1];
      r += s;
    } else if (s < 0.5) {
      s *= 3.0 * x[2];
    } else {
      s += x[n - 1];
      r *= s;
    }
  }
  return s > 1.0 ? r * s : r - s;
}
ADZE_TEST_ARRAY(decided, 4, ADZE_AT(0.3, 1.4, 1.2, 0.8, 2.5, 1.1, 0.9, 0.4))
