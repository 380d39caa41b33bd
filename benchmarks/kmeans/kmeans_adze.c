// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call and its derivative by another around it,
// forward over reverse; with ADZE_NO_MARKER calls of an ordinary external
// function in their place, for measuring compile time.

#include "kmeans.h"
#include "kmeans_objective.h"

#include "adze/adze.h"

#include <string.h>

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#define TANGENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#define TANGENT __enzyme_fwddiff
#endif

static void kmeans_gradient(int n, int k, int d, const double *restrict points,
                            const double *restrict centroids,
                            double *restrict gradient) {
  GRADIENT((void *)kmeans_objective, enzyme_const, n, enzyme_const, k,
           enzyme_const, d, enzyme_const, points, enzyme_dup, centroids,
           gradient);
}

void kmeans_generated(int n, int k, int d, const double *points,
                      const double *centroids, const double *ones,
                      double *gradient, double *diagonal) {
  size_t size = (size_t)k * (size_t)d * sizeof(double);
  memset(gradient, 0, size);
  memset(diagonal, 0, size);
  TANGENT((void *)kmeans_gradient, enzyme_const, n, enzyme_const, k,
          enzyme_const, d, enzyme_const, points, enzyme_dup, centroids, ones,
          enzyme_dup, gradient, diagonal);
}
