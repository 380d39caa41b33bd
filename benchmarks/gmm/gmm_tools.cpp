// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of gmm.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "gmm.h"

#include <cmath>

namespace {

using std::exp;
using std::log;

template <class T> T logsumexp(int n, const T *v) {
  T largest = v[0];
  for (int i = 1; i < n; i++)
    if (v[i] > largest)
      largest = v[i];
  T sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exp(v[i] - largest);
  return largest + log(sum);
}

template <class T>
T square_norm(int d, const T *diagonal, const T *lower, const T *v, T *qv) {
  for (int i = 0; i < d; i++)
    qv[i] = diagonal[i] * v[i];
  for (int j = 0; j < d; j++) {
    for (int i = j + 1; i < d; i++)
      qv[i] += lower[i - j - 1] * v[j];
    lower += d - j - 1;
  }
  T sum = 0.0;
  for (int i = 0; i < d; i++)
    sum += qv[i] * qv[i];
  return sum;
}

template <class T>
T log_prior(const gmm_constants &g, const T *icf, const T *diagonals,
            const T *sums) {
  const int d = g.d, stride = d * (d + 1) / 2, freedom = d + g.m + 1;
  T prior = 0.0;
  for (int c = 0; c < g.k; c++) {
    T square = 0.0;
    for (int i = 0; i < d; i++)
      square += diagonals[c * d + i] * diagonals[c * d + i];
    for (int i = d; i < stride; i++)
      square += icf[c * stride + i] * icf[c * stride + i];
    prior += 0.5 * g.gamma * g.gamma * square - double(g.m) * sums[c];
  }
  double log_multigamma = 0.25 * d * (d - 1) * log(3.14159265358979323846);
  for (int j = 1; j <= d; j++)
    log_multigamma += std::lgamma(0.5 * freedom + 0.5 * (1 - j));
  double constant =
      freedom * d * (log(g.gamma) - 0.5 * log(2.0)) - log_multigamma;
  return prior - g.k * constant;
}

template <class T> T objective(const gmm_constants &g, const T *alphas) {
  const int d = g.d, k = g.k, stride = d * (d + 1) / 2;
  const T *means = alphas + k, *icf = means + k * d;
  std::vector<T> diagonals(k * d), sums(k), centered(d), work(d), terms(k);
  for (int c = 0; c < k; c++) {
    sums[c] = 0.0;
    for (int i = 0; i < d; i++) {
      sums[c] += icf[c * stride + i];
      diagonals[c * d + i] = exp(icf[c * stride + i]);
    }
  }
  T total = 0.0;
  for (int p = 0; p < g.n; p++) {
    for (int c = 0; c < k; c++) {
      for (int i = 0; i < d; i++)
        centered[i] = g.x[p * d + i] - means[c * d + i];
      T square = square_norm(d, &diagonals[c * d], &icf[c * stride + d],
                             centered.data(), work.data());
      terms[c] = alphas[c] + sums[c] - 0.5 * square;
    }
    total += logsumexp(k, terms.data());
  }
  total -= double(g.n) * logsumexp(k, alphas);
  total -= 0.5 * g.n * d * log(2.0 * 3.14159265358979323846);
  total += log_prior(g, icf, diagonals.data(), sums.data());
  return total;
}

} // namespace

TOOL_FUNCTION(gmm)(const void *constants, const double *x, double *gradient) {
  const auto &g = *static_cast<const gmm_constants *>(constants);
  tool::gradient(g.k + g.k * g.d + g.k * g.d * (g.d + 1) / 2, x, gradient,
                 [&](const auto *at) { return objective(g, at); });
}
