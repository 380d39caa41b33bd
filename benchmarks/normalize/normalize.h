// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization as it is written when nobody thinks of cost:
//
//   y_i = x_i / norm(x),    f = sum (y_i - target_i)^2
//
// with the call of norm() inside the loop over i. The primal is O(n) all the
// same, because the compiler sees that norm() only reads x and moves it out of
// the loop. A tool that differentiates the program as written, before it is
// optimized, takes the adjoint of norm() once for every i and needs O(n^2).
//
//   x, target, y   n each; y is overwritten
//
// The gradients are *added* to d_x.

#ifndef ADZE_BENCHMARKS_NORMALIZE_NORMALIZE_H
#define ADZE_BENCHMARKS_NORMALIZE_NORMALIZE_H

double normalize_primal(int n, const double *x, const double *target,
                        double *y);

void normalize_hand(int n, const double *x, double *d_x, const double *target,
                    double *y);

/// `d_y` is scratch: zero on entry and on exit.
void normalize_generated(int n, const double *x, double *d_x,
                         const double *target, double *y, double *d_y);

#endif
