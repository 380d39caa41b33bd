// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse loops that may count up, and those that must count down: whose iterations overwrite,
// accumulate in one place or hand something on.
#include "check.h"

#define N 21

static void independent(int n, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * y[i];
}

static double sums(int n, const double *x, const double *p) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[0] * x[i] + p[1] * x[i] * x[i];
  return s;
}

// The last of several writes to one place counts.
static void scatter(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    y[at[i]] = x[i] * x[i] + 0.25 * y[at[i]];
}

static void scatter_only(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    y[at[i]] = x[i] * x[i];
}

// Each iteration reads what the one before it wrote, or what the one behind it will write.
static void forwards(int n, double *y) {
  for (int i = 1; i < n; ++i)
    y[i] = y[i] * y[i - 1] + 0.5 * y[i];
}

static void backwards(int n, double *y) {
  for (int i = 0; i + 1 < n; ++i)
    y[i] = y[i + 1] * y[i];
}

// One place for all iterations.
static void one_place(int n, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    *y = x[i] * *y + x[i];
}

static void last_one(int n, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    *y = x[i] * x[i];
}

// The state is handed on in registers.
static double recurrence(int n, const double *x) {
  double a = 0.5, b = 0.25;
  for (int i = 0; i < n; ++i) {
    double t = a * x[i] + b;
    b = a;
    a = t;
  }
  return a * b;
}

// The first element that the reverse pass comes to last.
static double first_kept(int n, const double *x) {
  double kept = 0;
  for (int i = n - 1; i >= 0; --i)
    kept = x[i] * x[i] * (i + 1);
  return kept;
}

void directions(const double *x, double *y) {
  static const int at[N] = {3, 1, 3, 0, 7, 1, 1, 5, 20, 20, 2, 9, 9, 9, 4, 3, 0, 11, 12, 13, 12};
  double t[N], u[N], v[2] = {x[0], x[1]};
  for (int i = 0; i < N; ++i)
    t[i] = u[i] = 0.5 + 0.1 * x[N - 1 - i];
  independent(N, x, t);
  scatter(N, at, x, t);
  forwards(N, t);
  scatter_only(N - 2, at + 1, x + 1, u);
  backwards(N, u);
  one_place(5, x + 2, v);
  for (int i = 0; i < N; ++i)
    y[i] = t[i] + u[N - 1 - i];
  y[N] = sums(N, x, v);
  y[N + 1] = recurrence(N, x);
  y[N + 2] = first_kept(N, x);
  last_one(N, x, v + 1);
  y[N + 3] = v[0] * v[1];
}

ADZE_TEST_MAP(directions, N, N + 4,
              ADZE_AT(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, -0.1, -0.2, -0.3, -0.4, -0.5,
                      -0.6, -0.7, -0.8, -0.9, 0.15, 0.25, 0.35))
