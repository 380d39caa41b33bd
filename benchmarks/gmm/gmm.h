// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log-likelihood of a Gaussian mixture with a Wishart prior, the first
// objective of ADBench (Srajer, Kukelova, Fitzgibbon: "A benchmark of selected
// algorithmic differentiation tools", 2018), and its gradient.
//
//   x_1..x_n      points of dimension d
//   alpha_k       logarithms of the mixture's weights, not normalized
//   mu_k          means
//   Q_k           lower triangular, Q_k' Q_k is the inverse covariance. Stored
//                 as `icf`: a row of d + d(d-1)/2 numbers for each k, first
//                 q_k, the logarithms of the diagonal, then l_k, the entries
//                 below it, column by column.
//
//   f = -n d/2 log(2 pi)
//       + sum_i logsumexp_k(alpha_k + sum(q_k) - |Q_k (x_i - mu_k)|^2 / 2)
//       - n logsumexp(alpha)
//       + sum_k(gamma^2/2 (|exp(q_k)|^2 + |l_k|^2) - m sum(q_k)) - C(gamma, m)
//
// Three programs with one interface: the primal, the adjoint written by hand,
// and the adjoint that the plugin generates. The gradients are *added* to
// d_alphas (k), d_means (k d) and d_icf (k d(d+1)/2). All need d >= 1, k >= 1.

#ifndef ADZE_BENCHMARKS_GMM_GMM_H
#define ADZE_BENCHMARKS_GMM_GMM_H

/// What the tools of tools.h are given; their x is alphas, means, icf.
typedef struct {
  int d, k, n, m;
  double gamma;
  const double *x;
} gmm_constants;

double gmm_primal(int d, int k, int n, const double *alphas,
                  const double *means, const double *icf, const double *x,
                  double gamma, int m);

void gmm_hand(int d, int k, int n, const double *alphas, double *d_alphas,
              const double *means, double *d_means, const double *icf,
              double *d_icf, const double *x, double gamma, int m);

void gmm_generated(int d, int k, int n, const double *alphas, double *d_alphas,
                   const double *means, double *d_means, const double *icf,
                   double *d_icf, const double *x, double gamma, int m);

#endif
