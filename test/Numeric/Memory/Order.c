// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that overwrite an array and read it: some never come back to what they
// have read, so that it is read again, not kept; some that look alike do.
// ADZE: vectorized
#include "check.h"

enum { Side = 6, Most = Side * Side + 8 };

// Unknown to the optimizer.
static volatile int given = 3, one = 1;

static void set(double *a, const double *x, int n) {
  for (int j = 0; j < Most; ++j)
    a[j] = 0.3 * x[j % n] + 0.02 * j;
}

static double total(const double *a) {
  double s = 0;
  for (int j = 0; j < Most; ++j)
    s += a[j] * (1 + 0.1 * j);
  return s;
}

double recurrence(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  for (int i = 2, end = 5 * given; i < end; ++i)
    a[i] = 0.5 * a[i - 1] * a[i - 2] + a[i];
  return total(a);
}
ADZE_TEST_ARRAY(recurrence, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// Backwards, two steps at a time, and again and again.
double backwards(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  for (int t = 0, rounds = given; t < rounds; ++t)
    for (int i = 5 * given; i >= 2; i -= 2)
      a[i - 2] = 0.5 * a[i] * a[i - 1] + 0.1 * a[i - 2];
  return total(a);
}
ADZE_TEST_ARRAY(backwards, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// What is read is overwritten in the next iteration.
double ahead(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  for (int i = 0, end = 5 * given; i < end; ++i)
    a[i] = a[i + 1] * a[i + 1] + 0.5 * a[i + 2] * a[i];
  return total(a);
}
ADZE_TEST_ARRAY(ahead, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// Each row from the one before, rows a little shorter than what they write:
// the next but one reaches into this one.
static void advance(double *restrict a, long rows, long size, long length) {
  for (long t = 0; t + 1 < rows; ++t)
    for (long i = 1; i + 1 < length; ++i)
      a[(t + 1) * size + i] =
          a[t * size + i] * (a[t * size + i - 1] + a[t * size + i + 1]);
}
double trajectory(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  advance(a, Side, Side, Side);
  return total(a);
}
ADZE_TEST_ARRAY(trajectory, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))
double overlapping(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  advance(a, 2 * one * Side, given - 1, Side);
  return total(a);
}
ADZE_TEST_ARRAY(overlapping, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

static void factorize(int n, double (*restrict a)[n]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (int k = 0; k < j; ++k)
        sum -= a[i][k] * a[j][k];
      a[i][j] = j < i ? sum / a[j][j] : __builtin_sqrt(sum);
    }
}
double cholesky(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  int size = Side * one;
  for (int i = 0; i < size; ++i)
    a[i * size + i] += 9;
  factorize(size, (double(*)[size])a);
  return total(a);
}
ADZE_TEST_ARRAY(cholesky, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

static void eliminate(long n, double *restrict a) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (long j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}
double gauss(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  long size = Side * one;
  for (long i = 0; i < size; ++i)
    a[i * size + i] += 9;
  eliminate(size, a);
  return total(a);
}
ADZE_TEST_ARRAY(gauss, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// The same, but the columns of a row of another length.
static void skewed(long n, long size, double *restrict a) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      a[i * size + k] *= a[k * size + k];
      for (long j = k + 1; j < n; ++j)
        a[i * size + j] -= 0.1 * a[i * size + k] * a[k * size + j];
    }
}
double shortRows(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  skewed(Side * one, given, a);
  return total(a);
}
ADZE_TEST_ARRAY(shortRows, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

static void substitute(double *restrict y, const double *restrict u, int n) {
  for (int i = n - 1; i >= 0; --i) {
    double s = y[i];
    for (int j = i + 1; j < n; ++j)
      s -= 0.1 * u[i] * y[j];
    y[i] = s * s;
  }
}
double solve(const double *x, int n) {
  double a[Most], u[Most];
  set(a, x, n);
  set(u, x, n);
  substitute(a, u, 4 * given);
  return total(a);
}
ADZE_TEST_ARRAY(solve, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// Every other element is written, the others are read.
double others(const double *x, int n) {
  double a[Most];
  set(a, x, n);
  for (int t = 0, rounds = given; t < rounds; ++t)
    for (int i = 0; i < 5 * given; ++i)
      a[2 * i] = 0.5 * a[2 * i + 1] * a[2 * i + 1] + 0.1 * a[2 * i];
  return total(a);
}
ADZE_TEST_ARRAY(others, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))

// A condition says which half is written.
double halves(const double *x, int n) {
  double a[Side][Side], s = 0;
  for (int i = 0; i < Side; ++i)
    for (int j = 0; j < Side; ++j)
      a[i][j] = x[(i + j) % n] + 0.1 * i;
  int size = Side * one;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      if (j < i)
        a[i][j] = a[j][i] * a[j][i] + a[i][j];
  for (int i = 0; i < Side; ++i)
    for (int j = 0; j < Side; ++j)
      s += a[i][j] * a[i][j] * (i + 1);
  return s;
}
ADZE_TEST_ARRAY(halves, 4, ADZE_AT(1.0, 0.5, 0.75, -0.5))
