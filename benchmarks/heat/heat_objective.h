// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of heat.h, in a header so that the file with the marker call sees
// it.

#ifndef ADZE_BENCHMARKS_HEAT_HEAT_OBJECTIVE_H
#define ADZE_BENCHMARKS_HEAT_HEAT_OBJECTIVE_H

/// One step from `u` to `next`, inner cells only.
static void heat_step(int rows, int cols, double dt, const double *restrict u,
                      double *restrict next, const double *restrict kappa) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < cols - 1; j++) {
      int at = i * cols + j;
      double flow = (kappa[at] + kappa[at - cols]) * (u[at - cols] - u[at]) +
                    (kappa[at] + kappa[at - 1]) * (u[at - 1] - u[at]) +
                    (kappa[at] + kappa[at + 1]) * (u[at + 1] - u[at]) +
                    (kappa[at] + kappa[at + cols]) * (u[at + cols] - u[at]);
      next[at] = u[at] + 0.5 * dt * flow;
    }
}

static double heat_objective(int rows, int cols, int steps, double dt,
                             double *u, double *next,
                             const double *restrict kappa,
                             const double *restrict target) {
  for (int t = 0; t < steps; t++) {
    heat_step(rows, cols, dt, u, next, kappa);
    double *last = u;
    u = next;
    next = last;
  }
  double sum = 0.0;
  for (int at = 0; at < rows * cols; at++)
    sum += (u[at] - target[at]) * (u[at] - target[at]);
  return sum;
}

#endif
