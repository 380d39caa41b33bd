// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of brusselator.h, in a header so that the file with the marker
// call sees it.

#ifndef ADZE_BENCHMARKS_BRUSSELATOR_BRUSSELATOR_OBJECTIVE_H
#define ADZE_BENCHMARKS_BRUSSELATOR_BRUSSELATOR_OBJECTIVE_H

#include "brusselator.h"

static double brusselator_source(double x, double y, double t) {
  double dx = x - 0.3, dy = y - 0.6;
  return dx * dx + dy * dy <= 0.01 && t >= 1.1 ? 5.0 : 0.0;
}

static void brusselator_slope(int n, double t, const double *restrict state,
                              double *restrict slope,
                              const double *restrict parameters) {
  const double *u = state, *v = state + n * n;
  double *du = slope, *dv = slope + n * n;
  double a = parameters[0], b = parameters[1];
  double alpha = parameters[2] * (n - 1) * (n - 1);
  for (int i = 0; i < n; i++) {
    int up = (i == 0 ? n - 1 : i - 1) * n, down = (i == n - 1 ? 0 : i + 1) * n;
    double x = i / (n - 1.0);
    for (int j = 0; j < n; j++) {
      int left = j == 0 ? n - 1 : j - 1, right = j == n - 1 ? 0 : j + 1;
      int row = i * n, at = row + j;
      double y = j / (n - 1.0);
      double reaction = u[at] * u[at] * v[at];
      du[at] = alpha * (u[up + j] + u[down + j] + u[row + left] +
                        u[row + right] - 4.0 * u[at]) +
               b + reaction - (a + 1.0) * u[at] + brusselator_source(x, y, t);
      dv[at] = alpha * (v[up + j] + v[down + j] + v[row + left] +
                        v[row + right] - 4.0 * v[at]) +
               a * u[at] - reaction;
    }
  }
}

static double brusselator_objective(const brusselator_grid *restrict grid,
                                    double *restrict state,
                                    double *restrict slope,
                                    const double *restrict parameters,
                                    const double *restrict target) {
  const int n = grid->n, size = 2 * n * n;
  for (int step = 0; step < grid->steps; step++) {
    brusselator_slope(n, grid->start + step * grid->dt, state, slope,
                      parameters);
    for (int at = 0; at < size; at++)
      state[at] += grid->dt * slope[at];
  }
  double sum = 0.0;
  for (int at = 0; at < size; at++)
    sum += (state[at] - target[at]) * (state[at] - target[at]);
  return sum;
}

#endif
