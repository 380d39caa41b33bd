// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivatives of kmeans.h by hand. Only the nearest centroid c of a point p
// has derivatives, 2 (c - p) and 2. The points of a centroid are summed up
// first: its derivatives are 2 (m c - sum p) and 2 m where m points are its
// own.

#include "kmeans.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void kmeans_hand(int n, int k, int d, const double *restrict points,
                 const double *restrict centroids, double *restrict gradient,
                 double *restrict diagonal) {
  memset(gradient, 0, (size_t)k * (size_t)d * sizeof(double));
  double *restrict members = calloc((size_t)k, sizeof(double));
  for (int i = 0; i < n; i++) {
    const double *restrict point = points + i * d;
    double nearest = INFINITY;
    int own = 0;
    for (int a = 0; a < k; a++) {
      const double *restrict centroid = centroids + a * d;
      double square = 0.0;
      for (int j = 0; j < d; j++) {
        double difference = point[j] - centroid[j];
        square += difference * difference;
      }
      if (square < nearest) {
        nearest = square;
        own = a;
      }
    }
    members[own] += 1.0;
    for (int j = 0; j < d; j++)
      gradient[own * d + j] += point[j];
  }
  for (int a = 0; a < k; a++)
    for (int j = 0; j < d; j++) {
      int at = a * d + j;
      gradient[at] = 2.0 * (members[a] * centroids[at] - gradient[at]);
      diagonal[at] = 2.0 * members[a];
    }
  free(members);
}
