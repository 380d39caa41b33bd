// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two-dimensional Brusselator, an autocatalytic reaction with diffusion
// (Hairer and Wanner, Solving Ordinary Differential Equations II), on a
// periodic n x n grid of the unit square:
//
//   du/dt = B + u^2 v - (A + 1) u + alpha laplacian(u) + f(x, y, t)
//   dv/dt = A u - u^2 v            + alpha laplacian(v)
//
// The right-hand side is written into an array that the integrator owns, as
// solvers of differential equations want it, and explicit Euler steps update
// the state in place. The source f switches on in a disk after a time. The
// objective is the distance to an observed state after `steps` steps.
//
//   state   u and v, n x n each; overwritten
//   slope   as large; scratch
//   parameters   A, B, alpha
//
// The gradients are *added* to d_parameters and, on entry the adjoint of the
// last state, to d_state. What state and slope hold after a gradient is not
// specified.

#ifndef ADZE_BENCHMARKS_BRUSSELATOR_BRUSSELATOR_H
#define ADZE_BENCHMARKS_BRUSSELATOR_BRUSSELATOR_H

enum { BRUSSELATOR_PARAMETERS = 3 };

typedef struct {
  int n, steps;
  double start, dt;
} brusselator_grid;

double brusselator_primal(const brusselator_grid *grid, double *state,
                          double *slope, const double *parameters,
                          const double *target);

void brusselator_hand(const brusselator_grid *grid, double *state,
                      double *d_state, const double *parameters,
                      double *d_parameters, const double *target);

/// `d_slope` is scratch, zero on entry.
void brusselator_generated(const brusselator_grid *grid, double *state,
                           double *d_state, double *slope, double *d_slope,
                           const double *parameters, double *d_parameters,
                           const double *target);

#endif
