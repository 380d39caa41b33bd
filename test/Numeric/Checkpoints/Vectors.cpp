// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::vector in time loops: copied, exchanged, and made anew in each step.
#include "check.h"
#include <cmath>
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
