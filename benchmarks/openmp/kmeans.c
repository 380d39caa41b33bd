// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cost of a clustering: the distance of each point to the nearest centroid. All
// threads read all centroids.
#include "bench.h"

enum { Points = 40000, Clusters = 20, Dimensions = 8 };
static double *points;
static int n, k, d;

int inputs(void) { return Clusters * Dimensions; }
void setup(double *x) {
  n = unknown(Points);
  k = unknown(Clusters);
  d = unknown(Dimensions);
  points = array((size_t)Points * Dimensions);
  for (int i = 0; i < Clusters * Dimensions; ++i)
    x[i] = number();
  for (int i = 0; i < Points * Dimensions; ++i)
    points[i] = number();
}

static double cost(int n, int k, int d, const double *p, const double *c) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    double least = INFINITY;
    for (int a = 0; a < k; ++a) {
      double s = 0;
      for (int j = 0; j < d; ++j) {
        const double t = p[i * d + j] - c[a * d + j];
        s += t * t;
      }
      least = s < least ? s : least;
    }
    sum += least;
  }
  return sum;
}
static double objective(const double *x) { return cost(n, k, d, points, x); }

static void hand(const double *x, double *dx) {
  const double *p = points;
  double value = 0;
#pragma omp parallel for reduction(+ : dx[ : k * d], value)
  for (int i = 0; i < n; ++i) {
    double least = INFINITY;
    int nearest = 0;
    for (int a = 0; a < k; ++a) {
      double s = 0;
      for (int j = 0; j < d; ++j) {
        const double t = p[i * d + j] - x[a * d + j];
        s += t * t;
      }
      if (s < least) {
        least = s;
        nearest = a;
      }
    }
    value += least;
    for (int j = 0; j < d; ++j)
      dx[nearest * d + j] -= 2 * (p[i * d + j] - x[nearest * d + j]);
  }
}
