// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat conduction in a plate of varying conductivity, the textbook scheme:
// explicit Euler with central differences in conservative form and two buffers
// that change roles after every step,
//
//   u' = u + dt (flux in from the four neighbours),
//   flux between cells a and b = (kappa_a + kappa_b) / 2 (u_b - u_a),
//
// with the border held. The objective is the distance to a measured
// temperature after `steps` steps; its gradient solves for the initial state
// and the conductivity.
//
//   u       rows x cols, the initial state; overwritten
//   next    rows x cols, the second buffer; its border is that of u
//   kappa   rows x cols
//   target  rows x cols
//
// The gradients are *added* to d_kappa and, on entry zero, to d_u. What u and
// next hold after a gradient is not specified.

#ifndef ADZE_BENCHMARKS_HEAT_HEAT_H
#define ADZE_BENCHMARKS_HEAT_HEAT_H

double heat_primal(int rows, int cols, int steps, double dt, double *u,
                   double *next, const double *kappa, const double *target);

void heat_hand(int rows, int cols, int steps, double dt, const double *u,
               double *d_u, const double *kappa, double *d_kappa,
               const double *target);

/// The adjoint of the border of `next` is what `d_next`, zero on entry,
/// receives there.
void heat_generated(int rows, int cols, int steps, double dt, double *u,
                    double *d_u, double *next, double *d_next,
                    const double *kappa, double *d_kappa, const double *target);

#endif
