// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of stencil.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_STENCIL_STENCIL_OBJECTIVE_H
#define ADZE_BENCHMARKS_STENCIL_STENCIL_OBJECTIVE_H

/// One sweep over the inner cells.
static void stencil_sweep(int rows, int cols, double dt, double *restrict u,
                          const double *restrict kappa) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < cols - 1; j++) {
      int at = i * cols + j;
      double center = u[at];
      double laplacian =
          u[at - cols] + u[at - 1] + u[at + 1] + u[at + cols] - 4.0 * center;
      u[at] = center +
              dt * (kappa[at] * laplacian + center * (1.0 - center * center));
    }
}

static double stencil_objective(int rows, int cols, int steps, double dt,
                                double *restrict u,
                                const double *restrict kappa,
                                const double *restrict target) {
  for (int t = 0; t < steps; t++)
    stencil_sweep(rows, cols, dt, u, kappa);
  double sum = 0.0;
  for (int at = 0; at < rows * cols; at++)
    sum += (u[at] - target[at]) * (u[at] - target[at]);
  return sum;
}

#endif
