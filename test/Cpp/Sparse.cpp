// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse matrices are the dense ones, of patterns that are found or given;
// patterns that lack entries are noticed.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <stdexcept>
#include <vector>

using Vector = std::vector<double>;

static double chain(const Vector &x) {
  double s = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double d = x[i + 1] - x[i] * x[i];
    s += 100 * d * d + (1 - x[i]) * (1 - x[i]);
  }
  return s;
}
static double grid(const Vector &x) {
  const std::size_t n = 9;
  double s = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double v = x[i * n + j];
      s += std::sqrt(1 + v * v);
      if (i > 0)
        s += std::exp(v * x[(i - 1) * n + j] / 4);
      if (j > 0)
        s += std::sin(v * x[i * n + j - 1]);
    }
  return s;
}
static double scattered(const Vector &x) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    s += std::sin(x[i] * x[(i * 37 + 13) % x.size()]);
  return s;
}
static double dense(const Vector &x) {
  double s = 0;
  for (double v : x)
    s += v;
  return s * s * s;
}
static double star(const Vector &x) {
  double s = 0;
  for (double v : x)
    s += v * v * x[0];
  return s;
}
static Vector arrow(const Vector &x) {
  Vector y(x.size() + 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] * x[i] + (i > 2 ? x[i - 3] : 0);
    y[x.size()] += x[i] * x[i];
  }
  return y;
}
static Vector column(const Vector &x) {
  Vector y;
  for (double v : x)
    y.push_back(v * x[1] * x[1]);
  return y;
}

template <class S, class D> static void same(const char *what, S &s, D &d) {
  holds(what, s.rows() == d.rows() && s.cols() == d.cols());
  for (std::size_t i = 0; i < d.rows(); ++i)
    for (std::size_t j = 0; j < d.cols(); ++j)
      near(what, s(i, j), d(i, j), 1e-11);
}

static Vector somewhere(std::size_t n) {
  Vector x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = 0.3 + std::sin(1.7 * double(i));
  return x;
}

template <class F>
static std::size_t hessians(const char *what, F &f, std::size_t n) {
  const Vector x = somewhere(n);
  const auto sparse = adze::sparse_hessian(f, x);
  const auto full = adze::hessian(f, x);
  same(what, sparse, full);
  const auto colors = adze::hessian_coloring(sparse.pattern);
  holds("symmetric pattern", sparse.pattern == sparse.pattern.transposed());
  const Vector other = somewhere(n + 3);
  const Vector y(other.begin() + 3, other.end());
  const auto elsewhere = adze::sparse_hessian(colors, adze::verify::yes, f, y);
  const auto full_there = adze::hessian(f, y);
  same(what, elsewhere, full_there);
  return colors.colors();
}

template <class F>
static std::size_t jacobians(const char *what, F &f, std::size_t n) {
  const Vector x = somewhere(n);
  const auto full = adze::jacobian(f, x);
  const auto sparse = adze::sparse_jacobian(f, x);
  same(what, sparse, full);
  const auto rows = adze::sparse_jacobian(
      adze::coloring::of_rows(sparse.pattern), adze::verify::yes, f, x);
  same(what, rows, full);
  const auto columns = adze::sparse_jacobian(
      adze::coloring::of_columns(sparse.pattern), adze::verify::yes, f, x);
  same(what, columns, full);
  return adze::jacobian_coloring(sparse.pattern).colors();
}

// What a matrix with entries at some distances from the main diagonal, and one
// elsewhere, costs to find.
static std::size_t products(std::size_t rows, std::size_t cols, bool symmetric,
                            const std::vector<int> &distances,
                            bool elsewhere = false) {
  std::vector<double> matrix(rows * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (const int d : distances) {
      const long j = long(i * cols / rows) + d;
      if (j >= 0 && j < long(cols))
        matrix[i * cols + std::size_t(j)] =
            symmetric ? 1.0 / double(i + std::size_t(j) + 1)
                      : std::sin(double(i * cols + std::size_t(j)));
    }
  if (elsewhere)
    matrix[(rows - 2) * cols + 1] = 1e-3;
  std::size_t count = 0;
  const auto found = adze::detail::probe<double>(
      rows, cols, symmetric, [&](const Vector &v, Vector &y) {
        ++count;
        for (std::size_t i = 0; i < rows; ++i) {
          holds("zero before", y[i] == 0);
          for (std::size_t j = 0; j < cols; ++j)
            y[i] += matrix[i * cols + j] * v[j];
        }
      });
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      near("matrix found", found.matrix(i, j), matrix[i * cols + j], 1e-9);
  return count;
}

static void searches() {
  holds("chain", products(90, 90, true, {-1, 0, 1}) == 4);
  holds("lower band", products(90, 90, false, {-1, 0}) == 4);
  // Four products in vain, three columns, one for each diagonal, one to check.
  holds("band", products(90, 90, true, {-2, -1, 0, 1, 2}) == 13);
  holds("grid", products(100, 100, true, {-10, -1, 0, 1, 10}) <= 15);
  holds("cube", products(216, 216, true, {-36, -6, -1, 0, 1, 6, 36}) <= 24);
  holds("tall", products(120, 60, false, {0, 1}) == 4);
  holds("wide", products(60, 120, false, {0, 1, 2}) < 20);
  holds("taller", products(125, 60, false, {0}) == 4);
  holds("wider", products(60, 125, false, {0}) == 4);
  holds("rows by blocks", products(700, 700, true, {-1, 0, 1}) == 4);
  holds("no rows", products(0, 60, false, {}) <= 1000);
  products(90, 90, false, {-1, 0, 1}, true);
  products(60, 60, false, {-2, -1, 0, 1, 2}, true);
}

int main() {
  searches();
  holds("colours of a chain", hessians("chain", chain, 60) == 3);
  holds("colours of a grid", hessians("grid", grid, 81) <= 9);
  hessians("scattered", scattered, 101);
  holds("colours of a dense matrix", hessians("dense", dense, 20) == 20);
  holds("colours of a star", hessians("star", star, 50) == 2);
  hessians("small", chain, 3);
  hessians("of one", dense, 1);
  jacobians("arrow", arrow, 40);
  holds("columns meet in two places", jacobians("column", column, 40) == 2);

  const Vector x = somewhere(30);
  std::vector<std::pair<std::size_t, std::size_t>> diagonal;
  for (std::size_t i = 0; i < x.size(); ++i)
    diagonal.push_back({i, i});
  const adze::sparsity wrong(30, 30, diagonal);
  bool noticed = false;
  try {
    adze::sparse_hessian(wrong, adze::verify::yes, chain, x);
  } catch (const std::runtime_error &) {
    noticed = true;
  }
  holds("a pattern that lacks entries is noticed", noticed);
  noticed = false;
  try {
    adze::sparse_hessian(wrong, adze::verify::yes, chain, somewhere(31));
  } catch (const std::runtime_error &) {
    noticed = true;
  }
  holds("a pattern of another size is noticed", noticed);
  return failures();
}
