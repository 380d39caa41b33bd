// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of gmm.h by hand.
//
// One pass over the points. For a point and component c let v = x - mu_c,
// z = Q_c v and w_c the softmax of the terms (the adjoint of term c). Then
//
//   alpha_c += w_c      sum(q_c) += w_c      z' = -w_c z
//   l_ij += z'_i v_j    exp(q_i)' += z'_i v_i    mu_c += -Q_c' z'
//
// v and z of all components are kept until the point's softmax is known. Two
// things a compiler cannot be asked to find: the adjoint of the diagonal goes
// through exp once at the end, and so does Q_c', which is linear, so that the
// sum of w_c z over the points is what is multiplied by it.

#include "gmm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// z = Q v; returns |z|^2.
static double multiply(int d, const double *restrict diagonal,
                       const double *restrict lower, const double *restrict v,
                       double *restrict z) {
  for (int i = 0; i < d; i++)
    z[i] = diagonal[i] * v[i];
  for (int j = 0; j < d; j++) {
    for (int i = j + 1; i < d; i++)
      z[i] += lower[i - j - 1] * v[j];
    lower += d - j - 1;
  }
  double sum = 0.0;
  for (int i = 0; i < d; i++)
    sum += z[i] * z[i];
  return sum;
}

/// The part of one point and component: see the top of the file.
static void accumulate(int d, double w, const double *restrict v,
                       double *restrict z, double *restrict d_diagonal,
                       double *restrict d_lower, double *restrict weighted) {
  for (int i = 0; i < d; i++) {
    z[i] *= w;
    weighted[i] += z[i];
    d_diagonal[i] -= z[i] * v[i];
  }
  for (int j = 0; j < d; j++) {
    for (int i = j + 1; i < d; i++)
      d_lower[i - j - 1] -= z[i] * v[j];
    d_lower += d - j - 1;
  }
}

/// d_mean += Q' z
static void multiply_transposed(int d, const double *restrict diagonal,
                                const double *restrict lower,
                                const double *restrict z,
                                double *restrict d_mean) {
  for (int j = 0; j < d; j++) {
    double sum = diagonal[j] * z[j];
    for (int i = j + 1; i < d; i++)
      sum += lower[i - j - 1] * z[i];
    d_mean[j] += sum;
    lower += d - j - 1;
  }
}

/// Turns `terms` into their softmax.
static void softmax(int k, double *restrict terms) {
  double largest = terms[0];
  for (int c = 1; c < k; c++)
    if (terms[c] > largest)
      largest = terms[c];
  double sum = 0.0;
  for (int c = 0; c < k; c++) {
    terms[c] = exp(terms[c] - largest);
    sum += terms[c];
  }
  double scale = 1.0 / sum;
  for (int c = 0; c < k; c++)
    terms[c] *= scale;
}

void gmm_hand(int d, int k, int n, const double *restrict alphas,
              double *restrict d_alphas, const double *restrict means,
              double *restrict d_means, const double *restrict icf,
              double *restrict d_icf, const double *restrict x, double gamma,
              int m) {
  const int stride = d * (d + 1) / 2;
  const size_t kd = (size_t)k * (size_t)d;
  double *work = malloc((5 * kd + 3 * (size_t)k) * sizeof(double));
  double *restrict diagonals = work;
  double *restrict d_diagonals = diagonals + kd;
  double *restrict weighted = d_diagonals + kd;
  double *restrict v = weighted + kd;
  double *restrict z = v + kd;
  double *restrict offsets = z + kd;
  double *restrict weights = offsets + k;
  double *restrict d_offsets = weights + k;

  for (int c = 0; c < k; c++) {
    double sum = 0.0;
    for (int i = 0; i < d; i++) {
      sum += icf[c * stride + i];
      diagonals[c * d + i] = exp(icf[c * stride + i]);
    }
    offsets[c] = alphas[c] + sum;
  }
  memset(d_diagonals, 0, kd * sizeof(double));
  memset(weighted, 0, kd * sizeof(double));
  memset(d_offsets, 0, (size_t)k * sizeof(double));

  for (int p = 0; p < n; p++) {
    for (int c = 0; c < k; c++) {
      for (int i = 0; i < d; i++)
        v[c * d + i] = x[p * d + i] - means[c * d + i];
      double square = multiply(d, &diagonals[c * d], &icf[c * stride + d],
                               &v[c * d], &z[c * d]);
      weights[c] = offsets[c] - 0.5 * square;
    }
    softmax(k, weights);
    for (int c = 0; c < k; c++) {
      d_offsets[c] += weights[c];
      accumulate(d, weights[c], &v[c * d], &z[c * d], &d_diagonals[c * d],
                 &d_icf[c * stride + d], &weighted[c * d]);
    }
  }

  memcpy(weights, alphas, (size_t)k * sizeof(double));
  softmax(k, weights);
  const double gamma2 = gamma * gamma;
  for (int c = 0; c < k; c++) {
    d_alphas[c] += d_offsets[c] - n * weights[c];
    multiply_transposed(d, &diagonals[c * d], &icf[c * stride + d],
                        &weighted[c * d], &d_means[c * d]);
    for (int i = 0; i < d; i++) {
      double e = diagonals[c * d + i];
      d_icf[c * stride + i] +=
          d_offsets[c] - m + (d_diagonals[c * d + i] + gamma2 * e) * e;
    }
    for (int i = d; i < stride; i++)
      d_icf[c * stride + i] += gamma2 * icf[c * stride + i];
  }
  free(work);
}
