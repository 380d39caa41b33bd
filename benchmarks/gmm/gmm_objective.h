// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of gmm.h. It stands in a header because the plugin differentiates
// what it can see: the file with the marker call includes it, and so does the
// file that makes the primal to be timed.

#ifndef ADZE_BENCHMARKS_GMM_GMM_OBJECTIVE_H
#define ADZE_BENCHMARKS_GMM_GMM_OBJECTIVE_H

#include <math.h>
#include <stdlib.h>

/// log(sum(exp(v))), safe against overflow.
static double gmm_logsumexp(int n, const double *v) {
  double largest = v[0];
  for (int i = 1; i < n; i++)
    if (v[i] > largest)
      largest = v[i];
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exp(v[i] - largest);
  return largest + log(sum);
}

/// |Q v|^2 for the lower triangular Q with diagonal `diagonal` and the columns
/// `lower` under it. `qv` is work space of size d.
static double gmm_square_norm(int d, const double *restrict diagonal,
                              const double *restrict lower,
                              const double *restrict v, double *restrict qv) {
  for (int i = 0; i < d; i++)
    qv[i] = diagonal[i] * v[i];
  for (int j = 0; j < d; j++) {
    for (int i = j + 1; i < d; i++)
      qv[i] += lower[i - j - 1] * v[j];
    lower += d - j - 1;
  }
  double sum = 0.0;
  for (int i = 0; i < d; i++)
    sum += qv[i] * qv[i];
  return sum;
}

/// Logarithm of the Wishart prior of all k factors, and its constant C.
static double gmm_log_prior(int d, int k, const double *restrict icf,
                            const double *restrict diagonals,
                            const double *restrict sums, double gamma, int m) {
  const int stride = d * (d + 1) / 2;
  const int freedom = d + m + 1;
  double prior = 0.0;
  for (int c = 0; c < k; c++) {
    double square = 0.0;
    for (int i = 0; i < d; i++)
      square += diagonals[c * d + i] * diagonals[c * d + i];
    for (int i = d; i < stride; i++)
      square += icf[c * stride + i] * icf[c * stride + i];
    prior += 0.5 * gamma * gamma * square - m * sums[c];
  }
  double log_multigamma = 0.25 * d * (d - 1) * log(3.14159265358979323846);
  for (int j = 1; j <= d; j++)
    log_multigamma += lgamma(0.5 * freedom + 0.5 * (1 - j));
  double constant =
      freedom * d * (log(gamma) - 0.5 * log(2.0)) - log_multigamma;
  return prior - k * constant;
}

static double gmm_objective(int d, int k, int n, const double *restrict alphas,
                            const double *restrict means,
                            const double *restrict icf,
                            const double *restrict x, double gamma, int m) {
  const int stride = d * (d + 1) / 2;
  double *restrict diagonals = malloc((size_t)(k * d) * sizeof(double));
  double *restrict sums = malloc((size_t)k * sizeof(double));
  double *restrict centered = malloc((size_t)d * sizeof(double));
  double *restrict work = malloc((size_t)d * sizeof(double));
  double *restrict terms = malloc((size_t)k * sizeof(double));

  for (int c = 0; c < k; c++) {
    sums[c] = 0.0;
    for (int i = 0; i < d; i++) {
      double q = icf[c * stride + i];
      sums[c] += q;
      diagonals[c * d + i] = exp(q);
    }
  }

  double total = 0.0;
  for (int p = 0; p < n; p++) {
    for (int c = 0; c < k; c++) {
      for (int i = 0; i < d; i++)
        centered[i] = x[p * d + i] - means[c * d + i];
      double square = gmm_square_norm(d, &diagonals[c * d],
                                      &icf[c * stride + d], centered, work);
      terms[c] = alphas[c] + sums[c] - 0.5 * square;
    }
    total += gmm_logsumexp(k, terms);
  }
  total -= n * gmm_logsumexp(k, alphas);
  total -= 0.5 * n * d * log(2.0 * 3.14159265358979323846);
  total += gmm_log_prior(d, k, icf, diagonals, sums, gamma, m);

  free(terms);
  free(work);
  free(centered);
  free(sums);
  free(diagonals);
  return total;
}

#endif
