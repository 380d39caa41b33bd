// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classic Runge-Kutta method of fourth order, 20 steps of n oscillators in
// a ring: x_i' = v_i, v_i' = x_(i-1) - 2 x_i + x_(i+1) - x_i^3. The state is
// all x, then all v. Adjoint: states are kept, stages are computed again.

#include "common/forms.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int steps = 20, max_n = 2000;
constexpr double h = 0.05;

size_t inputs(int n) { return 2 * size_t(n); }

void rates(int n, const double *__restrict s, double *__restrict k) {
  for (int i = 0; i < n; i++)
    k[i] = s[n + i];
  for (int i = 1; i < n - 1; i++)
    k[n + i] = s[i - 1] - 2.0 * s[i] + s[i + 1] - s[i] * s[i] * s[i];
  k[n] = s[n - 1] - 2.0 * s[0] + s[1] - s[0] * s[0] * s[0];
  int e = n - 1;
  k[n + e] = s[e - 1] - 2.0 * s[e] + s[0] - s[e] * s[e] * s[e];
}

/// d_s += (d rates / d s)' d_k
void reverse_rates(int n, const double *__restrict s,
                   const double *__restrict d_k, double *__restrict d_s) {
  for (int i = 0; i < n; i++)
    d_s[n + i] += d_k[i];
  const double *__restrict d = d_k + n;
  for (int i = 1; i < n - 1; i++)
    d_s[i] += d[i - 1] + d[i + 1] - (2.0 + 3.0 * s[i] * s[i]) * d[i];
  int e = n - 1;
  d_s[0] += d[e] + d[1] - (2.0 + 3.0 * s[0] * s[0]) * d[0];
  d_s[e] += d[e - 1] + d[0] - (2.0 + 3.0 * s[e] * s[e]) * d[e];
}

void hand(int n, const int *, const double *x, double *__restrict d) {
  const int m = 2 * n;
  static const double part[4] = {0.0, 0.5 * h, 0.5 * h, h};
  static const double weight[4] = {h / 6.0, h / 3.0, h / 3.0, h / 6.0};
  std::vector<double> states(size_t(steps + 1) * m), stage(4 * m), k(m), d_k(m),
      d_stage(m), next(m);
  std::copy(x, x + m, states.data());
  auto stages = [&](const double *s) {
    std::fill(next.begin(), next.end(), 0.0);
    for (int r = 0; r < 4; r++) {
      double *to = stage.data() + r * m;
      for (int i = 0; i < m; i++)
        to[i] = s[i] + (r ? part[r] * k[i] : 0.0);
      rates(n, to, k.data());
      for (int i = 0; i < m; i++)
        next[i] += weight[r] * k[i];
    }
  };
  for (int t = 0; t < steps; t++) {
    const double *s = states.data() + t * m;
    stages(s);
    for (int i = 0; i < m; i++)
      states[(t + 1) * m + i] = s[i] + next[i];
  }
  std::copy(states.end() - m, states.end(), d);
  for (int t = steps - 1; t >= 0; t--) {
    stages(states.data() + t * m);
    std::copy(d, d + m, next.data());
    std::fill(d_stage.begin(), d_stage.end(), 0.0);
    for (int r = 3; r >= 0; r--) {
      double factor = r < 3 ? part[r + 1] : 0.0;
      for (int i = 0; i < m; i++)
        d_k[i] = weight[r] * next[i] + factor * d_stage[i];
      std::fill(d_stage.begin(), d_stage.end(), 0.0);
      reverse_rates(n, stage.data() + r * m, d_k.data(), d_stage.data());
      for (int i = 0; i < m; i++)
        d[i] += d_stage[i];
    }
  }
}

} // namespace

COMPUTATION = {"rungekutta", 2000, 8, inputs, nullptr, nullptr, nullptr, hand};

static void slope(int n, const double *s, double *k) {
  for (int i = 0; i < n; i++) {
    int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
    k[i] = s[n + i];
    k[n + i] = s[left] - 2.0 * s[i] + s[right] - s[i] * s[i] * s[i];
  }
}

FORM(four_stage_arrays, double, 12 * n) {
  int m = 2 * n;
  double *s = work, *k1 = s + m, *k2 = k1 + m, *k3 = k2 + m, *k4 = k3 + m,
         *at = k4 + m;
  memcpy(s, x, m * sizeof *s);
  for (int t = 0; t < steps; t++) {
    slope(n, s, k1);
    for (int i = 0; i < m; i++)
      at[i] = s[i] + 0.5 * h * k1[i];
    slope(n, at, k2);
    for (int i = 0; i < m; i++)
      at[i] = s[i] + 0.5 * h * k2[i];
    slope(n, at, k3);
    for (int i = 0; i < m; i++)
      at[i] = s[i] + h * k3[i];
    slope(n, at, k4);
    for (int i = 0; i < m; i++)
      s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  return half_squares(m, s);
}

FORM(restrict_functions, double, 12 * n) {
  int m = 2 * n;
  double *s = work, *k1 = s + m, *k2 = k1 + m, *k3 = k2 + m, *k4 = k3 + m,
         *at = k4 + m;
  memcpy(s, x, m * sizeof *s);
  for (int t = 0; t < steps; t++) {
    rates(n, s, k1);
    for (int i = 0; i < m; i++)
      at[i] = s[i] + 0.5 * h * k1[i];
    rates(n, at, k2);
    for (int i = 0; i < m; i++)
      at[i] = s[i] + 0.5 * h * k2[i];
    rates(n, at, k3);
    for (int i = 0; i < m; i++)
      at[i] = s[i] + h * k3[i];
    rates(n, at, k4);
    for (int i = 0; i < m; i++)
      s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  return half_squares(m, s);
}

FORM(one_stage_array_summed, double, 0) {
  size_t m = 2 * size_t(n);
  static const double part[4] = {0.5 * h, 0.5 * h, h, 0.0};
  static const double weight[4] = {h / 6.0, h / 3.0, h / 3.0, h / 6.0};
  double *s = (double *)malloc(4 * m * sizeof *s);
  double *k = s + m, *at = k + m, *sum = at + m;
  memcpy(s, x, m * sizeof *s);
  for (int t = 0; t < steps; t++) {
    memcpy(at, s, m * sizeof *s);
    memcpy(sum, s, m * sizeof *s);
    for (int r = 0; r < 4; r++) {
      slope(n, at, k);
      for (size_t i = 0; i < m; i++) {
        sum[i] += weight[r] * k[i];
        at[i] = s[i] + part[r] * k[i];
      }
    }
    memcpy(s, sum, m * sizeof *s);
  }
  double value = half_squares(m, s);
  free(s);
  return value;
}

using Vector = std::vector<double>;

static Vector slope_of(const Vector &s) {
  Vector k(s.size());
  slope(int(s.size() / 2), s.data(), k.data());
  return k;
}

static Vector moved(const Vector &s, double by, const Vector &k) {
  Vector result(s);
  for (size_t i = 0; i < s.size(); i++)
    result[i] += by * k[i];
  return result;
}

FORM(vectors_returned, double, 0) {
  Vector s(x, x + 2 * n);
  for (int t = 0; t < steps; t++) {
    Vector k1 = slope_of(s), k2 = slope_of(moved(s, 0.5 * h, k1));
    Vector k3 = slope_of(moved(s, 0.5 * h, k2)), k4 = slope_of(moved(s, h, k3));
    for (size_t i = 0; i < s.size(); i++)
      s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  return half_squares(s.size(), s.data());
}

FORM(static_stages, double, 0) {
  static double s[2 * max_n], at[2 * max_n], k[4][2 * max_n];
  const double part[4] = {0.0, 0.5 * h, 0.5 * h, h};
  int m = 2 * n;
  for (int i = 0; i < m; i++)
    s[i] = x[i];
  for (int t = 0; t < steps; t++) {
    for (int r = 0; r < 4; r++) {
      for (int i = 0; i < m; i++)
        at[i] = r == 0 ? s[i] : s[i] + part[r] * k[r - 1][i];
      slope(n, at, k[r]);
    }
    for (int i = 0; i < m; i++)
      s[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
  }
  return half_squares(m, s);
}

namespace {

struct State {
  double *x, *v;
};

struct Integrator {
  unsigned n;
  State now, at, k[4];

  static State make(double *from, unsigned n) { return {from, from + n}; }

  Integrator(unsigned n, double *memory)
      : n(n), now(make(memory, n)), at(make(memory + 2 * n, n)) {
    for (unsigned r = 0; r < 4; r++)
      k[r] = make(memory + (4 + 2 * r) * n, n);
  }

  void evaluate(const State &s, State &out) const {
    for (unsigned i = 0; i < n; i++) {
      out.x[i] = s.v[i];
      out.v[i] = s.x[(i + n - 1) % n] - 2.0 * s.x[i] + s.x[(i + 1) % n] -
                 s.x[i] * s.x[i] * s.x[i];
    }
  }

  void shift(double by, const State &slope) {
    for (unsigned i = 0; i < n; i++) {
      at.x[i] = now.x[i] + by * slope.x[i];
      at.v[i] = now.v[i] + by * slope.v[i];
    }
  }

  void step() {
    evaluate(now, k[0]);
    shift(0.5 * h, k[0]);
    evaluate(at, k[1]);
    shift(0.5 * h, k[1]);
    evaluate(at, k[2]);
    shift(h, k[2]);
    evaluate(at, k[3]);
    for (unsigned i = 0; i < n; i++) {
      now.x[i] +=
          h / 6.0 * (k[0].x[i] + 2.0 * k[1].x[i] + 2.0 * k[2].x[i] + k[3].x[i]);
      now.v[i] +=
          h / 6.0 * (k[0].v[i] + 2.0 * k[1].v[i] + 2.0 * k[2].v[i] + k[3].v[i]);
    }
  }
};

} // namespace

FORM(class_of_pointers_unsigned, double, 12 * n) {
  Integrator method(n, work);
  memcpy(work, x, 2 * n * sizeof *work);
  for (int t = 0; t < steps; t++)
    method.step();
  return half_squares(2 * n, work);
}

FORM(four_stage_arrays_float, float, 8 * n) {
  int m = 2 * n;
  float *s = work, *k = s + m, *at = k + m, *sum = at + m;
  static const float part[4] = {0.5f * float(h), 0.5f * float(h), float(h),
                                0.0f};
  static const float weight[4] = {float(h) / 6.0f, float(h) / 3.0f,
                                  float(h) / 3.0f, float(h) / 6.0f};
  memcpy(s, x, m * sizeof *s);
  for (int t = 0; t < steps; t++) {
    memcpy(at, s, m * sizeof *s);
    memcpy(sum, s, m * sizeof *s);
    for (int r = 0; r < 4; r++) {
      for (int i = 0; i < n; i++) {
        int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
        k[i] = at[n + i];
        k[n + i] = at[left] - 2.0f * at[i] + at[right] - at[i] * at[i] * at[i];
      }
      for (int i = 0; i < m; i++) {
        sum[i] += weight[r] * k[i];
        at[i] = s[i] + part[r] * k[i];
      }
    }
    memcpy(s, sum, m * sizeof *s);
  }
  return half_squares_single(m, s);
}
