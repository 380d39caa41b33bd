// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Likelihood of a mixture of normal distributions. All threads read all
// parameters: weights, means and logarithms of widths.
#include "bench.h"

enum { Points = 8000, Parts = 16, Dimensions = 8 };
enum { Means = Parts, Widths = Parts + Parts * Dimensions };
static double *points;
static int n, parts, d;

int inputs(void) { return Parts * (1 + 2 * Dimensions); }
void setup(double *x) {
  n = unknown(Points);
  parts = unknown(Parts);
  d = unknown(Dimensions);
  points = array((size_t)Points * Dimensions);
  for (int k = 0; k < Points * Dimensions; ++k)
    points[k] = number();
  for (int k = 0; k < Parts * (1 + 2 * Dimensions); ++k)
    x[k] = number();
}

static double likelihood(int n, int parts, int d, const double *p,
                         const double *weight, const double *mean,
                         const double *width) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    double term[Parts], most = -INFINITY, total = 0;
    for (int k = 0; k < parts; ++k) {
      double s = weight[k];
      for (int j = 0; j < d; ++j) {
        const double t =
            (p[i * d + j] - mean[k * d + j]) * exp(-width[k * d + j]);
        s -= 0.5 * t * t + width[k * d + j];
      }
      term[k] = s;
      most = s > most ? s : most;
    }
    for (int k = 0; k < parts; ++k)
      total += exp(term[k] - most);
    sum += most + log(total);
  }
  return sum;
}
static double objective(const double *x) {
  return likelihood(n, parts, d, points, x, x + Means, x + Widths);
}

static void hand(const double *x, double *dx) {
  const double *p = points, *weight = x, *mean = x + Means, *width = x + Widths;
  double value = 0;
#pragma omp parallel for reduction(+ : dx[ : Parts * (1 + 2 * Dimensions)],    \
                                       value)
  for (int i = 0; i < n; ++i) {
    double term[Parts], t[Parts * Dimensions], e[Parts * Dimensions];
    double most = -INFINITY, total = 0;
    for (int k = 0; k < parts; ++k) {
      double s = weight[k];
      for (int j = 0; j < d; ++j) {
        const int at = k * d + j;
        e[at] = exp(-width[at]);
        t[at] = (p[i * d + j] - mean[at]) * e[at];
        s -= 0.5 * t[at] * t[at] + width[at];
      }
      term[k] = s;
      most = s > most ? s : most;
    }
    for (int k = 0; k < parts; ++k)
      total += term[k] = exp(term[k] - most);
    value += most + log(total);
    for (int k = 0; k < parts; ++k) {
      const double share = term[k] / total;
      dx[k] += share;
      for (int j = 0; j < d; ++j) {
        const int at = k * d + j;
        dx[Means + at] += share * t[at] * e[at];
        dx[Widths + at] += share * (t[at] * t[at] - 1);
      }
    }
  }
}
