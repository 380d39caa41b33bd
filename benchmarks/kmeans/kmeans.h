// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of k-means clustering: the sum over n points of the squared distance
// to the nearest of k centroids (GradBench's kmeans). Newton's method on it
// needs the gradient and the diagonal of the Hessian. The Hessian is diagonal,
// so its product with a vector of ones is that diagonal: the gradient is
// differentiated once more, in forward mode.
//
//   points     n x d
//   centroids  k x d
//   gradient   k x d, overwritten
//   diagonal   k x d, overwritten
//   ones       k x d numbers, all 1

#ifndef ADZE_BENCHMARKS_KMEANS_KMEANS_H
#define ADZE_BENCHMARKS_KMEANS_KMEANS_H

/// What the tools of tools.h are given.
typedef struct {
  int n, k, d;
  const double *points;
} kmeans_points;

double kmeans_primal(int n, int k, int d, const double *points,
                     const double *centroids);

void kmeans_hand(int n, int k, int d, const double *points,
                 const double *centroids, double *gradient, double *diagonal);

void kmeans_generated(int n, int k, int d, const double *points,
                      const double *centroids, const double *ones,
                      double *gradient, double *diagonal);

#endif
