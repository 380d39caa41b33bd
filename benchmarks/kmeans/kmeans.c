// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kmeans.h"
#include "kmeans_objective.h"

double kmeans_primal(int n, int k, int d, const double *points,
                     const double *centroids) {
  return kmeans_objective(n, k, d, points, centroids);
}
