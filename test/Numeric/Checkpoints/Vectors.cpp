// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::vector in time loops: copied, exchanged, assigned, grown and made anew in each step, as members,
// and as rows.
#include "check.h"
#include <cmath>
#include <memory>
#include <vector>

#if ADZE_REVERSE || ADZE_FORWARD
#define CHECKPOINT(...) adze_checkpoint(__VA_ARGS__)
#else
#define CHECKPOINT(...) (void)0
#endif

static double sum(const std::vector<double> &u) {
  double s = 0;
  for (double x : u)
    s += x * x;
  return s;
}
double copied(const double *x, int n) {
  std::vector<double> u(x, x + n), v(n);
  for (int t = 0; t < 23; t++) {
    CHECKPOINT(3);
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * std::sin(u[i]);
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
  }
  return sum(u);
}
ADZE_TEST_ARRAY(copied, 5, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2))

double exchanged(const double *x, int n) {
  std::vector<double> u(x, x + n), v(u);
  for (int t = 0; t < 23; t++) {
    CHECKPOINT(3);
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * std::sin(u[i]);
    std::swap(u, v);
  }
  return sum(u) + v[2];
}
ADZE_TEST_ARRAY(exchanged, 5, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2))

double anew(const double *x, int n) {
  std::vector<double> u(x, x + n);
  for (int t = 0; t < 23; t++) {
    CHECKPOINT(3);
    std::vector<double> k(u);
    for (int i = 1; i < n - 1; i++)
      k[i] = 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * std::sin(u[i]);
    for (int i = 0; i < n; i++)
      u[i] += 0.3 * k[i];
  }
  return sum(u);
}
ADZE_TEST_ARRAY(anew, 5, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2))

double assigned(const double *x, int n) {
  std::vector<double> u(x, x + n);
  for (int t = 0; t < 11; t++) {
    CHECKPOINT(3);
    std::vector<double> v(u.size());
    for (int i = 0; i < n; i++)
      v[i] = u[i] + 0.1 * u[(i + 1) % n] * u[i];
    u = v;
  }
  return sum(u);
}
ADZE_TEST_ARRAY(assigned, 5, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2))

struct Grid {
  std::vector<double> u;
  std::vector<std::vector<double>> rows;
  void advance() {
    std::vector<double> k;
    for (std::size_t i = 0; i < u.size(); i++)
      k.push_back(std::sin(u[i]) * rows[i % rows.size()][0]);
    auto reversed = std::make_unique<double[]>(u.size());
    for (std::size_t i = 0; i < k.size(); i++)
      reversed[i] = k[k.size() - 1 - i];
    for (std::size_t i = 0; i < k.size(); i++)
      u[i] += 0.1 * reversed[i];
    for (auto &row : rows)
      for (double &x : row)
        x *= 1 + 0.01 * u[0];
  }
};
double members(const double *x, int n) {
  Grid g;
  g.u.assign(x, x + n);
  g.rows.resize(3, std::vector<double>(2, x[1]));
  for (int t = 0; t < 11; t++) {
    CHECKPOINT(3);
    g.advance();
  }
  return sum(g.u) + g.rows[1][1];
}
ADZE_TEST_ARRAY(members, 5, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2))
