// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nonlinear stencil swept in place: the Allen-Cahn equation
//
//   du/dt = kappa(x, y) laplacian(u) + u - u^3
//
// on a grid of unit spacing with the boundary held, advanced by explicit
// Gauss-Seidel sweeps: a cell uses the values that its upper and left
// neighbours got in the same sweep. The objective is the distance to a target,
// sum (u - target)^2, after `steps` sweeps: the problem of fitting the initial
// state and the diffusivity to an observation.
//
// Every sweep overwrites what the adjoint of the sweep needs, so a gradient
// must keep or recompute those values, and accesses that depend on each other
// from cell to cell leave no freedom in the order.
//
//   u       rows x cols, read as the initial state, overwritten by the last
//   kappa   rows x cols
//   target  rows x cols
//
// The gradients are *added* to d_kappa. `d_u` is the shadow of an argument that
// is overwritten: on entry the adjoint of the final state, on exit that of the
// initial one. What `u` holds after a gradient is not specified.

#ifndef ADZE_BENCHMARKS_STENCIL_STENCIL_H
#define ADZE_BENCHMARKS_STENCIL_STENCIL_H

double stencil_primal(int rows, int cols, int steps, double dt, double *u,
                      const double *kappa, const double *target);

void stencil_hand(int rows, int cols, int steps, double dt, double *u,
                  double *d_u, const double *kappa, double *d_kappa,
                  const double *target);

void stencil_generated(int rows, int cols, int steps, double dt, double *u,
                       double *d_u, const double *kappa, double *d_kappa,
                       const double *target);

#endif
