// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logistic regression: all threads read the weights.
#include "bench.h"

enum { Points = 60000, Features = 64 };
static double *points, *labels;
static int n, d;

int inputs(void) { return Features; }
void setup(double *x) {
  n = unknown(Points);
  d = unknown(Features);
  points = array((size_t)Points * Features);
  labels = array(Points);
  for (int k = 0; k < Features; ++k)
    x[k] = number() - 0.5;
  for (int k = 0; k < Points * Features; ++k)
    points[k] = number() - 0.5;
  for (int k = 0; k < Points; ++k)
    labels[k] = number() < 0.5 ? -1 : 1;
}

static double loss(int n, int d, const double *w, const double *p,
                   const double *y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += w[j] * p[i * d + j];
    sum += log1p(exp(-y[i] * s));
  }
  return sum;
}
static double objective(const double *x) {
  return loss(n, d, x, points, labels);
}

static void hand(const double *x, double *dx) {
  const double *p = points, *y = labels;
  double value = 0;
#pragma omp parallel for reduction(+ : dx[ : d], value)
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += x[j] * p[i * d + j];
    const double e = exp(-y[i] * s);
    value += log1p(e);
    const double ds = -y[i] * e / (1 + e);
    for (int j = 0; j < d; ++j)
      dx[j] += ds * p[i * d + j];
  }
}
