// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 3-D stencil of seven points on n x n x n cells for 8 steps, with a source
// -c u^3 and fixed faces. Adjoint: all states are kept; the operator is
// symmetric, so the adjoint of a cell gathers from its neighbours.

#include "common/forms.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace {

constexpr int steps = 8, max_n = 40;
constexpr double k = 0.05, c = 0.02;

size_t inputs(int n) { return size_t(n) * n * n; }

void hand(int n, const int *, const double *x, double *__restrict d_x) {
  const int s = n * n, count = n * n * n;
  std::vector<double> states(size_t(steps + 1) * count), adjoint(count);
  std::copy(x, x + count, states.data());
  for (int t = 0; t < steps; t++) {
    const double *__restrict u = states.data() + t * count;
    double *__restrict v = states.data() + (t + 1) * count;
    std::copy(u, u + count, v);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int p = i * s + j * n + 1; p < i * s + j * n + n - 1; p++)
          v[p] = u[p] +
                 k * (u[p - s] + u[p + s] + u[p - n] + u[p + n] + u[p - 1] +
                      u[p + 1] - 6.0 * u[p]) -
                 c * u[p] * u[p] * u[p];
  }
  std::copy(states.end() - count, states.end(), d_x);
  double *__restrict d = adjoint.data();
  for (int t = steps - 1; t >= 0; t--) {
    const double *__restrict u = states.data() + t * count;
    // The faces feed their neighbours and copy themselves.
    std::copy(d_x, d_x + count, d);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < n; l++)
          if (i == 0 || i == n - 1 || j == 0 || j == n - 1 || l == 0 ||
              l == n - 1)
            d[i * s + j * n + l] = 0.0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int p = i * s + j * n + 1; p < i * s + j * n + n - 1; p++)
          d_x[p] += k * (d[p - s] + d[p + s] + d[p - n] + d[p + n] + d[p - 1] +
                         d[p + 1] - 6.0 * d[p]) -
                    3.0 * c * u[p] * u[p] * d[p];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        d_x[i * n + j] += k * d[s + i * n + j];
        d_x[(n - 1) * s + i * n + j] += k * d[(n - 2) * s + i * n + j];
        d_x[i * s + j] += k * d[i * s + n + j];
        d_x[i * s + (n - 1) * n + j] += k * d[i * s + (n - 2) * n + j];
        d_x[i * s + j * n] += k * d[i * s + j * n + 1];
        d_x[i * s + j * n + n - 1] += k * d[i * s + j * n + n - 2];
      }
  }
}

} // namespace

COMPUTATION = {"heat3d", 34, 6, inputs, nullptr, nullptr, nullptr, hand};

FORM(pointers_swapped, double, 2 * n * n * n) {
  int s = n * n;
  double *u = work, *v = work + n * s;
  memcpy(u, x, sizeof(double) * n * s);
  memcpy(v, x, sizeof(double) * n * s);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int l = 1; l < n - 1; l++) {
          int p = i * s + j * n + l;
          v[p] = u[p] +
                 k * (u[p - s] + u[p + s] + u[p - n] + u[p + n] + u[p - 1] +
                      u[p + 1] - 6.0 * u[p]) -
                 c * u[p] * u[p] * u[p];
        }
    std::swap(u, v);
  }
  return half_squares(size_t(n) * s, u);
}

FORM(copied_back, double, 2 * n * n * n) {
  int s = n * n;
  double *u = work, *v = work + n * s;
  for (int p = 0; p < n * s; p++)
    u[p] = v[p] = x[p];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int l = 1; l < n - 1; l++) {
          int p = (i * n + j) * n + l;
          double sum = u[p - s] + u[p + s] + u[p - n] + u[p + n] + u[p - 1] +
                       u[p + 1] - 6.0 * u[p];
          v[p] = u[p] + k * sum - c * u[p] * u[p] * u[p];
        }
    memcpy(u, v, sizeof(double) * n * s);
  }
  return half_squares(size_t(n) * s, u);
}

static void step_restrict(size_t n, const double *__restrict u,
                          double *__restrict v) {
  size_t s = n * n;
  for (size_t i = 1; i + 1 < n; i++)
    for (size_t j = 1; j + 1 < n; j++)
      for (size_t l = 1; l + 1 < n; l++) {
        size_t p = i * s + j * n + l;
        v[p] = u[p] +
               k * (u[p - s] + u[p + s] + u[p - n] + u[p + n] + u[p - 1] +
                    u[p + 1] - 6.0 * u[p]) -
               c * u[p] * u[p] * u[p];
      }
}

FORM(alternating_restrict_size_t, double, 2 * n * n * n) {
  size_t count = size_t(n) * n * n;
  memcpy(work, x, sizeof(double) * count);
  memcpy(work + count, x, sizeof(double) * count);
  for (int t = 0; t < steps; t += 2) {
    step_restrict(n, work, work + count);
    step_restrict(n, work + count, work);
  }
  return half_squares(count, work);
}

FORM(static_three_indices, double, 0) {
  static double u[2][max_n][max_n][max_n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int l = 0; l < n; l++)
        u[0][i][j][l] = u[1][i][j][l] = x[(i * n + j) * n + l];
  for (int t = 0; t < steps; t++) {
    auto &p = u[t % 2], &q = u[1 - t % 2];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int l = 1; l < n - 1; l++) {
          double m = p[i][j][l];
          q[i][j][l] =
              m +
              k * (p[i - 1][j][l] + p[i + 1][j][l] + p[i][j - 1][l] +
                   p[i][j + 1][l] + p[i][j][l - 1] + p[i][j][l + 1] - 6.0 * m) -
              c * m * m * m;
        }
  }
  double value = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      value += half_squares(n, u[steps % 2][i][j]);
  return value;
}

namespace {

class Grid {
public:
  Grid(int n, const double *from) : n(n), cells(from, from + inputs(n)) {}
  double &operator()(int i, int j, int l) { return cells[(i * n + j) * n + l]; }
  double operator()(int i, int j, int l) const {
    return cells[(i * n + j) * n + l];
  }
  double laplacian(int i, int j, int l) const {
    const Grid &u = *this;
    return u(i - 1, j, l) + u(i + 1, j, l) + u(i, j - 1, l) + u(i, j + 1, l) +
           u(i, j, l - 1) + u(i, j, l + 1) - 6.0 * u(i, j, l);
  }
  double value() const { return half_squares(cells.size(), cells.data()); }

private:
  int n;
  std::vector<double> cells;
};

} // namespace

FORM(grid_class_swapped, double, 0) {
  Grid u(n, x), v(n, x);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int l = 1; l < n - 1; l++)
          v(i, j, l) = u(i, j, l) + k * u.laplacian(i, j, l) -
                       c * u(i, j, l) * u(i, j, l) * u(i, j, l);
    std::swap(u, v);
  }
  return u.value();
}

FORM(grid_class_copied, double, 0) {
  Grid u(n, x);
  for (int t = 0; t < steps; t++) {
    const Grid old = u;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int l = 1; l < n - 1; l++)
          u(i, j, l) += k * old.laplacian(i, j, l) -
                        c * old(i, j, l) * old(i, j, l) * old(i, j, l);
  }
  return u.value();
}

FORM(loops_over_last_index_first, double, 2 * n * n * n) {
  int s = n * n;
  double *u = work, *v = work + n * s;
  memcpy(u, x, sizeof(double) * n * s);
  memcpy(v, x, sizeof(double) * n * s);
  for (int t = 0; t < steps; t++) {
    for (int l = 1; l < n - 1; l++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) {
          const double *p = u + i * s + j * n + l;
          v[i * s + j * n + l] =
              *p + k * (p[-s] + p[s] + p[-n] + p[n] + p[-1] + p[1] - 6.0 * *p) -
              c * *p * *p * *p;
        }
    double *swap = u;
    u = v;
    v = swap;
  }
  return half_squares(size_t(n) * s, u);
}

FORM(change_stored_first, double, 2 * n * n * n) {
  int s = n * n;
  double *u = work, *change = work + n * s;
  memcpy(u, x, sizeof(double) * n * s);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int p = i * s + j * n + 1; p < i * s + j * n + n - 1; p++)
          change[p] = k * (u[p - s] + u[p + s] + u[p - n] + u[p + n] +
                           u[p - 1] + u[p + 1] - 6.0 * u[p]) -
                      c * u[p] * u[p] * u[p];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int p = i * s + j * n + 1; p < i * s + j * n + n - 1; p++)
          u[p] += change[p];
  }
  return half_squares(size_t(n) * s, u);
}
