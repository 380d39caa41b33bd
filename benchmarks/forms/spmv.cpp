// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A (A v) of a sparse matrix in compressed rows, 9 entries each; the inputs
// are the entries of A, then v. index holds the row starts, n + 1, then the
// columns. Adjoint: dv += A' dy, dA_ij += dy_i v_j, for both products.

#include "common/forms.h"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int width = 9, max_n = 30000;

size_t inputs(int n) { return size_t(n) * (width + 1); }

size_t indices(int n) { return size_t(n) * (width + 1) + 1; }

void make_indices(int n, int *index) {
  unsigned state = 99;
  for (int i = 0; i <= n; i++)
    index[i] = width * i;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < width; k++) {
      state = state * 1664525u + 1013904223u;
      index[n + 1 + width * i + k] =
          (i + n + int(state >> 8) % 200 - 100 + 7 * n) % n;
    }
}

void multiply(int n, const int *start, const int *column,
              const double *__restrict a, const double *__restrict v,
              double *__restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += a[k] * v[column[k]];
    y[i] = sum;
  }
}

void reverse(int n, const int *start, const int *column,
             const double *__restrict a, const double *__restrict v,
             const double *__restrict d_y, double *__restrict d_a,
             double *__restrict d_v) {
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++) {
      d_a[k] += d_y[i] * v[column[k]];
      d_v[column[k]] += d_y[i] * a[k];
    }
}

void hand(int n, const int *index, const double *x, double *d_x) {
  const int *column = index + n + 1;
  const double *v = x + width * n;
  std::vector<double> y(n), z(n), d_y(n);
  multiply(n, index, column, x, v, y.data());
  multiply(n, index, column, x, y.data(), z.data());
  reverse(n, index, column, x, y.data(), z.data(), d_x, d_y.data());
  reverse(n, index, column, x, v, d_y.data(), d_x, d_x + width * n);
}

} // namespace

COMPUTATION = {"spmv", 30000, 20, inputs, indices, make_indices, nullptr, hand};

FORM(sum_in_register, double, 2 * n) {
  const int *start = index, *column = index + n + 1;
  const double *v = x + width * n;
  double *y = work, *z = work + n;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += x[k] * v[column[k]];
    y[i] = sum;
  }
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += x[k] * y[column[k]];
    z[i] = sum;
  }
  return half_squares(n, z);
}

FORM(sum_in_memory, double, 2 * n) {
  const int *start = index, *column = index + n + 1;
  const double *v = x + width * n;
  double *y = work, *z = work + n;
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += x[k] * v[column[k]];
  }
  for (int i = 0; i < n; i++) {
    z[i] = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      z[i] += x[k] * y[column[k]];
  }
  return half_squares(n, z);
}

FORM(function_restrict, double, 2 * n) {
  multiply(n, index, index + n + 1, x, x + width * n, work);
  multiply(n, index, index + n + 1, x, work, work + n);
  return half_squares(n, work + n);
}

static void multiply_plain(unsigned n, const unsigned *start,
                           const unsigned *column, const double *a,
                           const double *v, double *y) {
  for (unsigned i = 0; i < n; i++) {
    double sum = 0.0;
    for (unsigned k = start[i]; k < start[i + 1]; k++)
      sum += a[k] * v[column[k]];
    y[i] = sum;
  }
}

FORM(function_unsigned_on_heap, double, 0) {
  const unsigned *start = (const unsigned *)index;
  double *y = (double *)malloc(n * sizeof *y);
  double *z = (double *)malloc(n * sizeof *z);
  multiply_plain(n, start, start + n + 1, x, x + width * n, y);
  multiply_plain(n, start, start + n + 1, x, y, z);
  double value = half_squares(n, z);
  free(y);
  free(z);
  return value;
}

namespace {

struct Sparse {
  const int *start, *column;
  const double *value;
  size_t rows;
  double row(size_t i, const double *v) const {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * v[column[k]];
    return sum;
  }
  std::vector<double> operator*(const std::vector<double> &v) const {
    std::vector<double> y(rows);
    for (size_t i = 0; i < rows; i++)
      y[i] = row(i, v.data());
    return y;
  }
};

} // namespace

FORM(class_with_vectors, double, 0) {
  Sparse a{index, index + n + 1, x, size_t(n)};
  std::vector<double> v(x + width * n, x + width * n + n);
  std::vector<double> z = a * (a * v);
  return half_squares(z.size(), z.data());
}

namespace {

struct Entry {
  int row, column;
  double value;
};

} // namespace

FORM(list_of_entries, double, 0) {
  const int *start = index, *column = index + n + 1;
  std::vector<Entry> entries;
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      entries.push_back({i, column[k], x[k]});
  std::vector<double> y(n), z(n);
  for (const Entry &e : entries)
    y[e.row] += e.value * x[width * n + e.column];
  for (const Entry &e : entries)
    z[e.row] += e.value * y[e.column];
  return half_squares(n, z.data());
}

FORM(rows_of_fixed_width_static, double, 0) {
  static double y[max_n], z[max_n];
  const int(*column)[width] = (const int(*)[width])(index + n + 1);
  const double(*a)[width] = (const double(*)[width])x;
  const double *v = x + width * n;
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int k = 0; k < width; k++)
      y[i] += a[i][k] * v[column[i][k]];
  }
  for (int i = 0; i < n; i++) {
    z[i] = 0.0;
    for (int k = 0; k < width; k++)
      z[i] += a[i][k] * y[column[i][k]];
  }
  return half_squares(n, z);
}

FORM(sum_in_register_float, float, 2 * n) {
  const int *start = index, *column = index + n + 1;
  const float *v = x + width * n;
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += x[k] * v[column[k]];
    work[i] = sum;
  }
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += x[k] * work[column[k]];
    work[n + i] = sum;
  }
  return half_squares_single(n, work + n);
}
