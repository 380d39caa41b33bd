// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors that change places, or take each other's place, in each step: of the
// same size, of none or of one element, and of sizes that go along or grow; two
// views that meet in one block; a loop that ends early.
#include "check.h"

#include <stdexcept>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

static double cell(double l, double m, double r) {
  return m + 0.1 * (l - 2.0 * m + r) * (1.0 + m * m);
}

static double squares(const Vector &u) {
  double sum = 0.0;
  for (double v : u)
    sum += v * v;
  return sum;
}

static Vector advanced(const Vector &u) {
  Vector next(u.size());
  for (size_t i = 0; i < u.size(); i++)
    next[i] = cell(u[i ? i - 1 : i], u[i], u[i + 1 < u.size() ? i + 1 : i]);
  return next;
}

static double swapped(const double *x, int n, int steps) {
  Vector u(x, x + n), next(u);
  for (int t = 0; t < steps; t++) {
    for (size_t i = 1; i + 1 < u.size(); i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    std::swap(u, next);
  }
  return squares(u) + 0.5 * squares(next);
}

/// The sizes change places, too.
static double other_sizes(const double *x, int n) {
  Vector u(x, x + n), next(x, x + n - 2);
  double sum = 0.0;
  for (int t = 0; t < 3; t++) {
    for (size_t i = 0; i < next.size() && i + 1 < u.size(); i++)
      next[i] += u[i] * u[i + 1];
    sum += double(u.size()) * u.back() * u[0];
    u.swap(next);
  }
  return sum + squares(u) * squares(next);
}

/// One of them grows.
static double growing(const double *x, int n) {
  Vector u(x, x + n), next;
  for (int t = 0; t < 4; t++) {
    for (size_t i = next.size(); i < u.size(); i++)
      next.push_back(u[i] * u[u.size() - 1 - i]);
    next.push_back(next.back() * u[0]);
    std::swap(u, next);
  }
  return squares(u) + squares(next);
}

/// Views of one block: what is written to one is read of the other.
static double views(const double *x, int n) {
  Vector data(x, x + n);
  double *a = data.data(), *e = a + n - 1, *b = data.data() + 1, *f = b + n - 1;
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < e - a; i++)
      b[i] = cell(a[i], b[i], x[i]);
    std::swap(a, b);
    std::swap(e, f);
  }
  return squares(data);
}

/// In front of the loop they may be one.
static double maybe_one(const double *x, int n, bool one) {
  Vector p(x, x + n), q(x, x + n);
  double *u = p.data(), *next = one ? u : q.data();
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i + 1 < n; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    std::swap(u, next);
  }
  return squares(p) + 0.3 * squares(q);
}

static double early(const double *x, int n) {
  Vector u(x, x + n), next(x, x + n);
  try {
    for (int t = 0;; t++) {
      for (size_t i = 1; i + 1 < u.size(); i++) {
        if (t == 2 && i == 3)
          throw std::runtime_error("enough");
        next[i] = cell(u[i - 1], u[i], u[i + 1]);
      }
      if (next[1] > 100.0)
        break;
      std::swap(u, next);
    }
  } catch (const std::runtime_error &) {
  }
  return squares(u) + 0.5 * squares(next);
}

extern "C" void vectors_swapped(const double *x, double *y) {
  for (int n = 0; n < 3; n++)
    y[n] = x[5] * swapped(x, n, 3);
  y[3] = swapped(x, 6, 4);
  y[4] = other_sizes(x, 6);
  y[5] = growing(x, 3);
  y[6] = views(x, 6);
  y[7] = maybe_one(x, 6, true) + 2.0 * maybe_one(x, 6, false);
  y[8] = early(x, 6);
  Vector u(x, x + 6), one(x, x + 1);
  for (int t = 0; t < 3; t++) {
    u = advanced(u);
    one = advanced(one);
  }
  y[9] = squares(u) + squares(one);
}

ADZE_TEST_MAP(vectors_swapped, 6, 10, ADZE_AT(0.9, -0.4, 0.7, 0.3, -0.6, 0.8))
