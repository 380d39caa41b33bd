// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of ode.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_ODE_ODE_OBJECTIVE_H
#define ADZE_BENCHMARKS_ODE_ODE_OBJECTIVE_H

/// slope = f(y)
static void ode_slope(int n, const double *restrict x, const double *restrict y,
                      double *restrict slope) {
  slope[0] = x[0];
  for (int i = 1; i < n; i++)
    slope[i] = x[i] * y[i - 1];
}

/// One step of size h: slopes k1 to k4, each from the state the one before it
/// leads to; their weighted sum is gathered on the way.
static void ode_step(int n, double h, const double *restrict x,
                     double *restrict y, double *restrict slope,
                     double *restrict sum, double *restrict stage) {
  ode_slope(n, x, y, slope);
  for (int i = 0; i < n; i++) {
    sum[i] = slope[i];
    stage[i] = y[i] + 0.5 * h * slope[i];
  }
  ode_slope(n, x, stage, slope);
  for (int i = 0; i < n; i++) {
    sum[i] += 2.0 * slope[i];
    stage[i] = y[i] + 0.5 * h * slope[i];
  }
  ode_slope(n, x, stage, slope);
  for (int i = 0; i < n; i++) {
    sum[i] += 2.0 * slope[i];
    stage[i] = y[i] + h * slope[i];
  }
  ode_slope(n, x, stage, slope);
  for (int i = 0; i < n; i++)
    y[i] += h / 6.0 * (sum[i] + slope[i]);
}

static double ode_objective(int n, int steps, const double *restrict x,
                            double *restrict y, double *restrict work) {
  double h = 2.0 / steps;
  for (int s = 0; s < steps; s++)
    ode_step(n, h, x, y, work, work + n, work + 2 * n);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum;
}

#endif
