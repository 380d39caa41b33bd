// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The logarithm of a sum of exponentials, log sum_i exp(x_i), in the usual form
// that cannot overflow: the largest x is taken out first (GradBench's lse).
//
//   x   n numbers
//
// The gradients are *added* to d_x.

#ifndef ADZE_BENCHMARKS_LSE_LSE_H
#define ADZE_BENCHMARKS_LSE_LSE_H

double lse_primal(int n, const double *x);

void lse_hand(int n, const double *x, double *d_x);

void lse_generated(int n, const double *x, double *d_x);

#endif
