// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L L' = A of a symmetric matrix of which the lower triangle is used; the value
// is half the sum of squares of L, by rows. Adjoint: the factorization reversed
// statement by statement (S. Smith, Differentiation of the Cholesky Algorithm,
// 1995), without a tape since L survives.

#include "common/forms.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int max_n = 160;

size_t inputs(int n) { return size_t(n) * n; }

void make_inputs(int n, double *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i * n + j] = i == j ? n + 1.0 + 0.5 * (i % 5)
                            : 1.0 / (1.0 + std::abs(i - j)) + 0.1 * (i % 3);
}

double value_of(int n, const double *l) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      sum += l[i * n + j] * l[i * n + j];
  return 0.5 * sum;
}

void hand(int n, const int *, const double *x, double *__restrict d) {
  std::vector<double> factor(x, x + size_t(n) * n);
  double *__restrict a = factor.data();
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      d[i * n + j] = a[i * n + j] = j < i ? sum / a[j * n + j] : std::sqrt(sum);
    }
  for (int i = n - 1; i >= 0; i--)
    for (int j = i; j >= 0; j--) {
      double bar = d[i * n + j] / a[j * n + j];
      if (j == i)
        bar *= 0.5;
      d[i * n + j] = bar;
      if (j < i)
        d[j * n + j] -= bar * a[i * n + j];
      for (int k = 0; k < j; k++) {
        d[i * n + k] -= bar * a[j * n + k];
        d[j * n + k] -= bar * a[i * n + k];
      }
    }
}

} // namespace

COMPUTATION = {"cholesky", 160, 9, inputs, nullptr, nullptr, make_inputs, hand};

FORM(by_rows_in_place, double, n *n) {
  memcpy(work, x, size_t(n) * n * sizeof *work);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = work[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= work[i * n + k] * work[j * n + k];
      work[i * n + j] = j < i ? sum / work[j * n + j] : std::sqrt(sum);
    }
  return value_of(n, work);
}

static void by_rows(int n, const double *__restrict a, double *__restrict l) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = sum / l[j * n + j];
    }
    double sum = a[i * n + i];
    for (int k = 0; k < i; k++)
      sum -= l[i * n + k] * l[i * n + k];
    l[i * n + i] = std::sqrt(sum);
  }
}

FORM(by_rows_restrict, double, n *n) {
  by_rows(n, x, work);
  return value_of(n, work);
}

FORM(by_columns_in_place, double, n *n) {
  memcpy(work, x, size_t(n) * n * sizeof *work);
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        work[i * n + j] -= work[i * n + k] * work[j * n + k];
    double pivot = std::sqrt(work[j * n + j]);
    work[j * n + j] = pivot;
    for (int i = j + 1; i < n; i++)
      work[i * n + j] /= pivot;
  }
  return value_of(n, work);
}

FORM(by_columns_on_heap, double, 0) {
  double *l = (double *)malloc(size_t(n) * n * sizeof *l);
  memcpy(l, x, size_t(n) * n * sizeof *l);
  for (int j = 0; j < n; j++) {
    double sum = l[j * n + j];
    for (int k = 0; k < j; k++)
      sum -= l[j * n + k] * l[j * n + k];
    l[j * n + j] = std::sqrt(sum);
    for (int i = j + 1; i < n; i++) {
      sum = l[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = sum / l[j * n + j];
    }
  }
  double value = value_of(n, l);
  free(l);
  return value;
}

FORM(right_looking, double, n *n) {
  memcpy(work, x, size_t(n) * n * sizeof *work);
  for (int k = 0; k < n; k++) {
    work[k * n + k] = std::sqrt(work[k * n + k]);
    for (int i = k + 1; i < n; i++)
      work[i * n + k] /= work[k * n + k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j <= i; j++)
        work[i * n + j] -= work[i * n + k] * work[j * n + k];
  }
  return value_of(n, work);
}

FORM(blocks, double, n *n) {
  const int size = 24;
  memcpy(work, x, size_t(n) * n * sizeof *work);
  for (int b = 0; b < n; b += size) {
    int e = std::min(b + size, n);
    for (int j = b; j < e; j++) {
      double sum = work[j * n + j];
      for (int k = b; k < j; k++)
        sum -= work[j * n + k] * work[j * n + k];
      work[j * n + j] = std::sqrt(sum);
      for (int i = j + 1; i < n; i++) {
        sum = work[i * n + j];
        for (int k = b; k < j; k++)
          sum -= work[i * n + k] * work[j * n + k];
        work[i * n + j] = sum / work[j * n + j];
      }
    }
    for (int i = e; i < n; i++)
      for (int j = e; j <= i; j++) {
        double sum = work[i * n + j];
        for (int k = b; k < e; k++)
          sum -= work[i * n + k] * work[j * n + k];
        work[i * n + j] = sum;
      }
  }
  return value_of(n, work);
}

static double row_product(const double *a, const double *b, int count) {
  double sum = 0.0;
  for (int k = 0; k < count; k++)
    sum += a[k] * b[k];
  return sum;
}

FORM(row_products_in_static_rows, double, 0) {
  static double l[max_n][max_n];
  double value = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      l[i][j] = (x[i * n + j] - row_product(l[i], l[j], j)) / l[j][j];
    l[i][i] = std::sqrt(x[i * n + i] - row_product(l[i], l[i], i));
  }
  for (int i = 0; i < n; i++)
    value += half_squares(size_t(i + 1), l[i]);
  return value;
}

namespace {

/// A lower triangle, packed by rows.
class Lower {
public:
  explicit Lower(size_t n) : data(n * (n + 1) / 2) {}
  double &operator()(size_t i, size_t j) { return data[i * (i + 1) / 2 + j]; }
  const std::vector<double> &numbers() const { return data; }

private:
  std::vector<double> data;
};

} // namespace

FORM(packed_class, double, 0) {
  Lower l(n);
  for (size_t i = 0; i < size_t(n); i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = x[i * n + j];
      for (size_t k = 0; k < j; k++)
        sum -= l(i, k) * l(j, k);
      l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
    }
  return half_squares(l.numbers().size(), l.numbers().data());
}

FORM(vectors_of_rows, double, 0) {
  std::vector<std::vector<double>> l(n);
  for (int i = 0; i < n; i++) {
    l[i].resize(i + 1);
    for (int j = 0; j <= i; j++) {
      double sum = x[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  double value = 0.0;
  for (const auto &row : l)
    value += half_squares(row.size(), row.data());
  return value;
}

FORM(by_rows_float, float, n *n) {
  memcpy(work, x, size_t(n) * n * sizeof *work);
  float value = 0.0f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      float sum = work[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= work[i * n + k] * work[j * n + k];
      work[i * n + j] = j < i ? sum / work[j * n + j] : std::sqrt(sum);
    }
  for (int i = 0; i < n; i++)
    value += half_squares_single(size_t(i + 1), work + i * n);
  return value;
}
