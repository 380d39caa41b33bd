// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negative log-likelihood of a Gaussian process, up to a constant: for a
// symmetric positive definite matrix A, factorized in place as L L^T by rows
// (Cholesky-Banachiewicz), and observations y,
//
//   f = sum log L_ii + 1/2 |L^-1 y|^2.
//
//   a   n x n, row-major; only the lower triangle is read, and overwritten by L
//   y   n; overwritten by L^-1 y
//
// The gradients are *added* to d_a, by the entries of the lower triangle taken
// as independent, and to d_y; both are zero on entry. What a and y hold after a
// gradient is not specified.

#ifndef ADZE_BENCHMARKS_CHOLESKY_CHOLESKY_H
#define ADZE_BENCHMARKS_CHOLESKY_CHOLESKY_H

double cholesky_primal(int n, double *a, double *y);

void cholesky_hand(int n, double *a, double *d_a, double *y, double *d_y);

void cholesky_generated(int n, double *a, double *d_a, double *y, double *d_y);

#endif
