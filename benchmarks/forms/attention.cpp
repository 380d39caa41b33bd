// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of one head: O = softmax(Q K' / 4) V with n rows of 16 numbers in
// each of Q, K and V, the inputs. Adjoint, row by row of P = softmax: dV += P'
// dO, dP = dO V', dS = P (dP - P . dP) / 4, dQ += dS K, dK += dS' Q.

#include "common/forms.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int dims = 16, max_n = 256;
constexpr double scale = 0.25;

size_t inputs(int n) { return 3 * size_t(n) * dims; }

void hand(int n, const int *, const double *x, double *__restrict d_x) {
  const double *q = x, *k = q + n * dims, *v = k + n * dims;
  double *d_q = d_x, *d_k = d_q + n * dims, *d_v = d_k + n * dims;
  std::vector<double> row(n), change(n);
  double *__restrict p = row.data(), *__restrict d_p = change.data();
  for (int i = 0; i < n; i++) {
    double top = -1e300, total = 0.0, out[dims] = {};
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int d = 0; d < dims; d++)
        sum += q[i * dims + d] * k[j * dims + d];
      p[j] = scale * sum;
      top = std::max(top, p[j]);
    }
    for (int j = 0; j < n; j++)
      total += p[j] = std::exp(p[j] - top);
    for (int j = 0; j < n; j++) {
      p[j] /= total;
      for (int d = 0; d < dims; d++)
        out[d] += p[j] * v[j * dims + d];
    }
    double mean = 0.0;
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int d = 0; d < dims; d++) {
        sum += out[d] * v[j * dims + d];
        d_v[j * dims + d] += p[j] * out[d];
      }
      d_p[j] = sum;
      mean += p[j] * sum;
    }
    for (int j = 0; j < n; j++) {
      double d_s = scale * p[j] * (d_p[j] - mean);
      for (int d = 0; d < dims; d++) {
        d_q[i * dims + d] += d_s * k[j * dims + d];
        d_k[j * dims + d] += d_s * q[i * dims + d];
      }
    }
  }
}

} // namespace

COMPUTATION = {"attention", 160, 9, inputs, nullptr, nullptr, nullptr, hand};

FORM(row_by_row, double, n + n * dims) {
  const double *q = x, *k = q + n * dims, *v = k + n * dims;
  double *p = work, *out = work + n;
  for (int i = 0; i < n; i++) {
    double top = -1e300, total = 0.0;
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int d = 0; d < dims; d++)
        sum += q[i * dims + d] * k[j * dims + d];
      p[j] = scale * sum;
      if (p[j] > top)
        top = p[j];
    }
    for (int j = 0; j < n; j++) {
      p[j] = exp(p[j] - top);
      total += p[j];
    }
    for (int d = 0; d < dims; d++) {
      double sum = 0.0;
      for (int j = 0; j < n; j++)
        sum += p[j] * v[j * dims + d];
      out[i * dims + d] = sum / total;
    }
  }
  return half_squares(n * dims, out);
}

FORM(whole_matrices, double, n *n + n * dims) {
  const double *q = x, *k = q + n * dims, *v = k + n * dims;
  double *s = work, *out = work + n * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s[i * n + j] = 0.0;
      for (int d = 0; d < dims; d++)
        s[i * n + j] += scale * q[i * dims + d] * k[j * dims + d];
    }
  for (int i = 0; i < n; i++) {
    double top = s[i * n], total = 0.0;
    for (int j = 1; j < n; j++)
      top = fmax(top, s[i * n + j]);
    for (int j = 0; j < n; j++)
      total += s[i * n + j] = exp(s[i * n + j] - top);
    for (int j = 0; j < n; j++)
      s[i * n + j] /= total;
  }
  memset(out, 0, n * dims * sizeof *out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int d = 0; d < dims; d++)
        out[i * dims + d] += s[i * n + j] * v[j * dims + d];
  return half_squares(n * dims, out);
}

static void scores(int n, const double *__restrict q,
                   const double *__restrict k, double *__restrict s) {
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int d = 0; d < dims; d++)
      sum += q[d] * k[j * dims + d];
    s[j] = scale * sum;
  }
}

static void softmax(int n, double *__restrict s) {
  double top = s[0], total = 0.0;
  for (int j = 1; j < n; j++)
    top = s[j] > top ? s[j] : top;
  for (int j = 0; j < n; j++) {
    s[j] = exp(s[j] - top);
    total += s[j];
  }
  for (int j = 0; j < n; j++)
    s[j] /= total;
}

static void mix(int n, const double *__restrict p, const double *__restrict v,
                double *__restrict out) {
  for (int d = 0; d < dims; d++)
    out[d] = 0.0;
  for (int j = 0; j < n; j++)
    for (int d = 0; d < dims; d++)
      out[d] += p[j] * v[j * dims + d];
}

FORM(functions_restrict, double, n + n * dims) {
  const double *k = x + n * dims, *v = k + n * dims;
  double *out = work + n;
  for (int i = 0; i < n; i++) {
    scores(n, x + i * dims, k, work);
    softmax(n, work);
    mix(n, work, v, out + i * dims);
  }
  return half_squares(n * dims, out);
}

FORM(rows_on_stack, double, 0) {
  const double(*q)[dims] = (const double(*)[dims])x;
  const double(*k)[dims] = q + n, (*v)[dims] = k + n;
  double value = 0.0;
  for (unsigned i = 0; i < unsigned(n); i++) {
    double p[max_n], out[dims] = {}, total = 0.0, top = -1e300;
    for (unsigned j = 0; j < unsigned(n); j++) {
      p[j] = 0.0;
      for (unsigned d = 0; d < dims; d++)
        p[j] += scale * q[i][d] * k[j][d];
      top = fmax(top, p[j]);
    }
    for (unsigned j = 0; j < unsigned(n); j++) {
      double e = exp(p[j] - top);
      total += e;
      for (unsigned d = 0; d < dims; d++)
        out[d] += e * v[j][d];
    }
    for (unsigned d = 0; d < dims; d++)
      value += out[d] / total * (out[d] / total);
  }
  return 0.5 * value;
}

FORM(one_pass, double, 0) {
  const double *k = x + n * dims, *v = k + n * dims;
  double value = 0.0;
  for (int i = 0; i < n; i++) {
    double out[dims] = {}, total = 0.0, top = -1e300;
    for (int j = 0; j < n; j++) {
      double s = 0.0;
      for (int d = 0; d < dims; d++)
        s += x[i * dims + d] * k[j * dims + d];
      s *= scale;
      double above = fmax(top, s);
      double old = exp(top - above), now = exp(s - above);
      total = total * old + now;
      for (int d = 0; d < dims; d++)
        out[d] = out[d] * old + now * v[j * dims + d];
      top = above;
    }
    for (int d = 0; d < dims; d++)
      value += out[d] * out[d] / (total * total);
  }
  return 0.5 * value;
}

namespace {

class Matrix {
public:
  Matrix(size_t rows, size_t columns)
      : rows(rows), columns(columns), data(rows * columns) {}
  Matrix(size_t rows, size_t columns, const double *from)
      : rows(rows), columns(columns), data(from, from + rows * columns) {}
  double &operator()(size_t i, size_t j) { return data[i * columns + j]; }
  double operator()(size_t i, size_t j) const { return data[i * columns + j]; }

  Matrix transposed() const {
    Matrix t(columns, rows);
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < columns; j++)
        t(j, i) = (*this)(i, j);
    return t;
  }
  Matrix operator*(const Matrix &b) const {
    Matrix c(rows, b.columns);
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < b.columns; j++) {
        double sum = 0.0;
        for (size_t k = 0; k < columns; k++)
          sum += (*this)(i, k) * b(k, j);
        c(i, j) = sum;
      }
    return c;
  }

  size_t rows, columns;
  std::vector<double> data;
};

Matrix softmax_of(const Matrix &s) {
  Matrix p(s.rows, s.columns);
  for (size_t i = 0; i < s.rows; i++) {
    double top = s(i, 0), total = 0.0;
    for (size_t j = 1; j < s.columns; j++)
      top = std::max(top, s(i, j));
    for (size_t j = 0; j < s.columns; j++)
      total += p(i, j) = std::exp(scale * (s(i, j) - top));
    for (size_t j = 0; j < s.columns; j++)
      p(i, j) /= total;
  }
  return p;
}

} // namespace

FORM(matrix_class, double, 0) {
  Matrix q(n, dims, x), k(n, dims, x + n * dims), v(n, dims, x + 2 * n * dims);
  Matrix out = softmax_of(q * k.transposed()) * v;
  return half_squares(out.data.size(), out.data.data());
}

FORM(row_by_row_float, float, n + n * dims) {
  const float *q = x, *k = q + n * dims, *v = k + n * dims;
  float *p = work, *out = work + n;
  for (int i = 0; i < n; i++) {
    float top = -1e30f, total = 0.0f;
    for (int j = 0; j < n; j++) {
      float sum = 0.0f;
      for (int d = 0; d < dims; d++)
        sum += q[i * dims + d] * k[j * dims + d];
      p[j] = float(scale) * sum;
      top = p[j] > top ? p[j] : top;
    }
    for (int j = 0; j < n; j++)
      total += p[j] = expf(p[j] - top);
    for (int d = 0; d < dims; d++) {
      float sum = 0.0f;
      for (int j = 0; j < n; j++)
        sum += p[j] * v[j * dims + d];
      out[i * dims + d] = sum / total;
    }
  }
  return half_squares_single(n * dims, out);
}
