// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that gather from several distances, whose reverse scatters: into one
// array, into several, into the array that is also read, into arrays that
// overlap or do not, in rows, with a stride, in loops too short to be worth
// anything.
#include "check.h"

#define N 44
#define CALLED __attribute__((noinline)) static

CALLED void gather(int n, const double *restrict x, double *restrict y) {
  for (int i = 2; i < n - 2; ++i)
    y[i] = 0.1 * x[i - 2] + 0.3 * x[i - 1] - x[i] * x[i + 1] + 0.7 * x[i + 2];
}

// The arrays may overlap, and do, when called with shift 1: then y[i] is the
// next x[i - 1].
CALLED void may_overlap(int n, const double *x, double *y) {
  for (int i = 2; i < n - 2; ++i)
    y[i] = 0.25 * x[i - 1] * x[i] + 0.5 * x[i + 1] + 0.125 * y[i];
}

// Both arrays are read at the same places; they may be one.
CALLED double two_arrays(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 1; i < n - 1; ++i)
    s += (x[i] - x[i - 1]) * (y[i + 1] - y[i]) + x[i + 1] * y[i - 1];
  return s;
}

// Each iteration reads what the one before wrote.
CALLED void in_place(int n, double *restrict x) {
  for (int i = 1; i < n - 1; ++i)
    x[i] = 0.2 * x[i - 1] + 0.5 * x[i] * x[i + 1];
}

CALLED void rows(int n, int m, const double *restrict x,
                 const double *restrict k, double *restrict y) {
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j)
      y[i * m + j] =
          x[i * m + j] + k[i * m + j] * (x[i * m + j - 1] + x[i * m + j + 1]) -
          k[i * m + j + 1] * (x[(i - 1) * m + j] + x[(i + 1) * m + j]);
}

// Neighbours come at multiples of the stride, and between them.
CALLED void strided(int n, const double *restrict x, double *restrict y) {
  for (int i = 2; i < n - 2; i += 2) {
    y[i] = x[i - 2] * x[i + 2] + 0.5 * x[i + 1];
    y[i + 1] = x[i - 1] + 0.25 * x[i + 2];
  }
}

// Downwards, and y is added to in the same loop.
CALLED double downwards(int n, const double *restrict x, double *restrict y) {
  double s = 0;
  for (int i = n - 3; i >= 2; --i) {
    y[i] += x[i + 1] * x[i + 1] + 0.5 * x[i - 1];
    s += y[i] * x[i];
  }
  return s;
}

// The last result of the loop is used behind it.
CALLED double carried(int n, const double *restrict x, double *restrict y) {
  double last = 0.5;
  for (int i = 1; i < n - 1; ++i) {
    y[i] = x[i - 1] - 0.5 * x[i + 1] * x[i];
    last = 0.5 * last + y[i];
  }
  return last;
}

void scatter(const double *x, double *y) {
  double t[N], u[N], w[2 * N];
  for (int i = 0; i < N; ++i) {
    t[i] = x[i] * x[i];
    u[i] = 0.5 - x[N - 1 - i];
    w[i] = x[i];
    w[N + i] = 0.5 * x[i];
  }
  gather(N, x, t);
  gather(9, x + 3, u);
  may_overlap(N, w, w + N);
  may_overlap(N, w, w + 1);
  may_overlap(N, w + 2, w);
  may_overlap(20, w, w + 20);
  rows(4, 11, t, u, w);
  rows(4, 11, w, w, t);
  strided(N, x, u);
  in_place(N, t);
  double s = downwards(N, t, u) + carried(N, u, w + N);
  for (int i = 0; i < N; ++i)
    y[i] = t[i] + u[N - 1 - i] + w[i] * w[2 * N - 1 - i];
  y[N] = two_arrays(N, t, u) + two_arrays(N, x, x) + s;
}

ADZE_TEST_MAP(scatter, N, N + 1,
              ADZE_AT(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, -0.1, -0.2,
                      -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, 0.15, 0.25,
                      0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, -0.15, -0.25,
                      -0.35, -0.45, -0.55, -0.65, -0.75, -0.85, -0.95, 0.12,
                      0.23, 0.34, 0.56, 0.67, 0.78, 0.89, -0.12))
