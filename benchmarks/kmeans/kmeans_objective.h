// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of kmeans.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_KMEANS_KMEANS_OBJECTIVE_H
#define ADZE_BENCHMARKS_KMEANS_KMEANS_OBJECTIVE_H

#include <math.h>

static double kmeans_objective(int n, int k, int d,
                               const double *restrict points,
                               const double *restrict centroids) {
  double cost = 0.0;
  for (int i = 0; i < n; i++) {
    double nearest = INFINITY;
    for (int a = 0; a < k; a++) {
      double square = 0.0;
      for (int j = 0; j < d; j++) {
        double difference = points[i * d + j] - centroids[a * d + j];
        square += difference * difference;
      }
      if (square < nearest)
        nearest = square;
    }
    cost += nearest;
  }
  return cost;
}

#endif
