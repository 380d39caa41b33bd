/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The likelihood of n points on each rank under a mixture of Gaussians, whose
 * parameters rank 0 has: Bcast, and Reduce of the sum.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTERS = 8, PARAMETERS = 2 * CLUSTERS };
#define INPUTS(n) ((size_t)(n) + PARAMETERS)
#define OUTPUTS(n) ((size_t)1)

static double point(const double *p, double x, double *terms) {
  double largest = -1e300, sum = 0;
  for (int k = 0; k < CLUSTERS; ++k) {
    const double d = (x - p[k]) * p[CLUSTERS + k];
    terms[k] = log(p[CLUSTERS + k]) - 0.5 * d * d;
    largest = largest > terms[k] ? largest : terms[k];
  }
  for (int k = 0; k < CLUSTERS; ++k)
    sum += exp(terms[k] - largest);
  return largest + log(sum);
}

static void f(const double *x, double *y, int n) {
  double p[PARAMETERS], terms[CLUSTERS], mine = 0;
  memcpy(p, x, sizeof p);
  MPI_Bcast(p, PARAMETERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i)
    mine += point(p, x[PARAMETERS + i], terms);
  MPI_Reduce(&mine, y, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void f_by_hand(const double *x, double *dx, double *y, double *dy,
                      int n) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  double p[PARAMETERS], dp[PARAMETERS] = {0}, terms[CLUSTERS], mine = 0;
  memcpy(p, x, sizeof p);
  MPI_Bcast(p, PARAMETERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // The seed first: then one sweep does for value and gradient.
  double seed = dy[0];
  MPI_Bcast(&seed, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) {
    const double at = x[PARAMETERS + i], value = point(p, at, terms);
    mine += value;
    for (int k = 0; k < CLUSTERS; ++k) {
      const double w = seed * exp(terms[k] - value);
      const double s = p[CLUSTERS + k], e = at - p[k];
      dx[PARAMETERS + i] -= w * s * s * e;
      dp[k] += w * s * s * e;
      dp[CLUSTERS + k] += w * (1 / s - s * e * e);
    }
  }
  MPI_Reduce(&mine, y, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(me == 0 ? MPI_IN_PLACE : dp, me == 0 ? dp : 0, PARAMETERS,
             MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int k = 0; me == 0 && k < PARAMETERS; ++k)
    dx[k] += dp[k];
}

#include "driver.h"
