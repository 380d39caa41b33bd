// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear least-squares fit of a polynomial to the sign function (GradBench's
// llsq, cmpad's llsq_obj):
//
//   1/2 sum_i (sign(t_i) - sum_j x_j t_i^j)^2,  t_i from -1 to 1, n of them
//
//   x   m coefficients
//
// The gradients are *added* to d_x.

#ifndef ADZE_BENCHMARKS_LLSQ_LLSQ_H
#define ADZE_BENCHMARKS_LLSQ_LLSQ_H

/// What the tools of tools.h are given.
typedef struct {
  int n, m;
} llsq_sizes;

double llsq_primal(int n, int m, const double *x);

void llsq_hand(int n, int m, const double *x, double *d_x);

void llsq_generated(int n, int m, const double *x, double *d_x);

#endif
