// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix product of matmul.c in C++.

#include "common/forms.h"

#include <vector>

#if __has_include(<Eigen/Core>)
// With the vectors of its own, the size of a matrix is an integer of unknown
// type where no front-end plugin tells it.
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Core>
#endif

namespace {

class Matrix {
public:
  Matrix(size_t rows, size_t columns)
      : columns(columns), data(rows * columns) {}
  Matrix(size_t rows, size_t columns, const double *from)
      : columns(columns), data(from, from + rows * columns) {}
  double &operator()(size_t i, size_t j) { return data[i * columns + j]; }
  double operator()(size_t i, size_t j) const { return data[i * columns + j]; }
  const double *begin() const { return data.data(); }

private:
  size_t columns;
  std::vector<double> data;
};

void multiply(size_t n, const Matrix &a, const Matrix &b, Matrix &c) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < n; j++)
        c(i, j) += a(i, k) * b(k, j);
}

} // namespace

FORM(matrix_class, double, 0) {
  size_t m = n;
  Matrix a(m, m, x), b(m, m, x + m * m), c(m, m);
  multiply(m, a, b, c);
  return half_squares(m * m, c.begin());
}

FORM(vectors_of_rows, double, 0) {
  std::vector<std::vector<double>> c(n, std::vector<double>(n));
  double value = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int k = 0; k < n; k++)
        sum += x[i * n + k] * x[n * n + k * n + j];
      c[i][j] = sum;
    }
  for (const std::vector<double> &row : c)
    value += half_squares(row.size(), row.data());
  return value;
}

FORM(vector_flat, double, 0) {
  const double *a = x, *b = x + n * n;
  std::vector<double> c(n * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return half_squares(c.size(), c.data());
}

#if __has_include(<Eigen/Core>)
FORM(eigen_lazy, double, 0) {
  using Rows =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const Rows> a(x, n, n), b(x + n * n, n, n);
  Rows c = a.lazyProduct(b);
  return half_squares(c.size(), c.data());
}
#endif
