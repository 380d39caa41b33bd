// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: vectorized
// Matrices whose rows stand behind pointers in a table, overwritten in place.
// One version of the derivative runs where no two rows overlap, and rows of all
// kinds of places must not make it run wrongly: upwards and downwards in
// memory, in any order, overlapping by a part, one row twice, a single row,
// columns on both sides of where the pointers lead.
#include "check.h"
#include <cmath>
#include <vector>

namespace {

#define APART __attribute__((noinline))
constexpr int Size = 5;

APART void factor(double **a, int n) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      a[i][k] /= 2 + a[k][k] * a[k][k];
      for (int j = k + 1; j < n; ++j)
        a[i][j] -= 0.25 * a[i][k] * a[k][j];
    }
}

/// Row by row, with a root, and counters without sign.
APART void root(double *const *a, size_t n) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (size_t k = 0; k < j; ++k)
        sum -= 0.25 * a[i][k] * a[j][k];
      a[i][j] =
          i == j ? std::sqrt(9 + sum * sum) : sum / (2 + a[j][j] * a[j][j]);
    }
}

/// A sweep that reads the rows beside, and columns in front of the pointers.
APART void sweep(double **a, long n, long steps) {
  for (long t = 0; t < steps; ++t)
    for (long i = 1; i + 1 < n; ++i)
      for (long j = -1; j < 2; ++j)
        a[i][j] = 0.5 * a[i][j] * a[i - 1][-j] + 0.25 * a[i + 1][j];
}

/// Of vectors, which no pointer but theirs leads to.
APART void ofVectors(std::vector<std::vector<double>> &a) {
  const size_t n = a.size();
  for (size_t k = 0; k < n; ++k)
    for (size_t i = k + 1; i < n; ++i) {
      a[i][k] /= 2 + a[k][k] * a[k][k];
      for (size_t j = k + 1; j < n; ++j)
        a[i][j] -= 0.25 * a[i][k] * a[k][j];
    }
}

/// Only some rows, found by an index.
APART void some(double **a, const int *which, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        a[which[i]][j] += 0.125 * a[which[i]][k] * a[k][j];
}

double result(const double *block, int count) {
  double s = 0;
  for (int i = 0; i < count; ++i)
    s += (0.3 + 0.01 * i) * block[i];
  return s;
}

/// The rows lie where \p place says.
template <class Of> double withRows(const double *x, const int *place, Of &&f) {
  double block[64], *rows[Size];
  for (int i = 0; i < 64; ++i)
    block[i] = x[i % 6] + 0.0625 * (i % 11);
  for (int i = 0; i < Size; ++i)
    rows[i] = block + place[i];
  f(rows);
  return result(block, 64);
}

const int Up[] = {0, 8, 16, 29, 48}, Down[] = {56, 40, 32, 24, 8},
          Mixed[] = {32, 8, 48, 16, 0}, Near[] = {10, 13, 16, 19, 22},
          Twice[] = {8, 24, 8, 40, 24};

void rows(const double *x, double *y) {
  const int *places[] = {Up, Down, Mixed, Near, Twice};
  for (const int *place : places) {
    *y++ = withRows(x, place, [](double **a) { factor(a, Size); });
    *y++ = withRows(x, place, [](double **a) { root(a, Size); });
    *y++ = withRows(x, place, [](double **a) { factor(a, 1); });
    *y++ = withRows(x, place, [](double **a) { factor(a + 1, 2); });
    *y++ = withRows(x, place, [](double **a) {
      const int which[] = {1, 0, 1};
      some(a, which, 3);
    });
  }
}

void sweeps(const double *x, double *y) {
  const int *places[] = {Up, Down, Mixed, Near, Twice};
  for (const int *place : places) {
    double block[64], *at[Size];
    for (int i = 0; i < 64; ++i)
      block[i] = x[i % 6] + 0.0625 * (i % 11);
    for (int i = 0; i < Size; ++i)
      at[i] = block + 1 + place[i];
    sweep(at, Size, 2);
    *y++ = result(block, 64);
  }
}

void vectors(const double *x, double *y) {
  std::vector<std::vector<double>> a;
  for (int i = 0; i < Size; ++i)
    a.push_back(std::vector<double>(x, x + Size));
  for (int i = 0; i < Size; ++i)
    a[i][i] += 3 + i;
  std::swap(a[1], a[3]); // pointers in another order
  ofVectors(a);
  for (int i = 0; i < Size; ++i)
    y[i] = result(a[i].data(), Size);
}

} // namespace

#define POINT .31, -.2, .43, .17, -.6, .25
ADZE_TEST_MAP(rows, 6, 25, ADZE_AT(POINT))
ADZE_TEST_MAP(sweeps, 6, 5, ADZE_AT(POINT))
ADZE_TEST_MAP(vectors, 6, Size, ADZE_AT(POINT))
