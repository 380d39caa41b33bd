// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of stencil.h by hand.
//
// The tape keeps one number per cell and sweep, the value that was overwritten.
// Putting it back before a cell's adjoint is taken makes u what it was when the
// cell was computed, neighbours included, so the Laplacian is recomputed from
// u. For a cell with value c, Laplacian L and adjoint b of its new value:
//
//   kappa += dt L b     neighbours += dt kappa b
//   c      = b (1 + dt (1 - 3 c^2)) - 4 dt kappa b
//
// In a row the adjoint moves to the left neighbour, which comes next: it stays
// in a register.

#include "stencil.h"

#include <stddef.h>
#include <stdlib.h>

/// A sweep that keeps what it overwrites; returns the tape's new end.
static double *forward_sweep(int rows, int cols, double dt, double *restrict u,
                             const double *restrict kappa,
                             double *restrict tape) {
  for (int i = 1; i < rows - 1; i++) {
    double *restrict row = u + i * cols;
    for (int j = 1; j < cols - 1; j++) {
      double center = row[j];
      double laplacian = row[j - cols] + row[j - 1] + row[j + 1] +
                         row[j + cols] - 4.0 * center;
      *tape++ = center;
      row[j] = center + dt * (kappa[i * cols + j] * laplacian +
                              center * (1.0 - center * center));
    }
  }
  return tape;
}

/// The reverse of a sweep, from the tape's end; returns its new end. Restores
/// u.
static const double *reverse_sweep(int rows, int cols, double dt,
                                   double *restrict u, double *restrict d_u,
                                   const double *restrict kappa,
                                   double *restrict d_kappa,
                                   const double *restrict tape) {
  for (int i = rows - 2; i >= 1; i--) {
    double *restrict row = u + i * cols;
    double *restrict d_row = d_u + i * cols;
    const double *restrict k = kappa + i * cols;
    double *restrict d_k = d_kappa + i * cols;
    double bar = d_row[cols - 2];
    double right = d_row[cols - 1];
    for (int j = cols - 2; j >= 1; j--) {
      double center = *--tape;
      row[j] = center;
      double laplacian = row[j - cols] + row[j - 1] + row[j + 1] +
                         row[j + cols] - 4.0 * center;
      double flow = dt * k[j] * bar;
      d_k[j] += dt * laplacian * bar;
      d_row[j - cols] += flow;
      d_row[j + cols] += flow;
      d_row[j + 1] = right + flow;
      right = bar * (1.0 + dt * (1.0 - 3.0 * center * center)) - 4.0 * flow;
      bar = d_row[j - 1] + flow;
    }
    d_row[1] = right;
    d_row[0] = bar;
  }
  return tape;
}

void stencil_hand(int rows, int cols, int steps, double dt, double *restrict u,
                  double *restrict d_u, const double *restrict kappa,
                  double *restrict d_kappa, const double *restrict target) {
  const size_t inner = (size_t)(rows - 2) * (size_t)(cols - 2);
  double *tape = malloc(inner * (size_t)steps * sizeof(double));
  double *end = tape;
  for (int t = 0; t < steps; t++)
    end = forward_sweep(rows, cols, dt, u, kappa, end);
  for (int at = 0; at < rows * cols; at++)
    d_u[at] += 2.0 * (u[at] - target[at]);
  const double *back = end;
  for (int t = 0; t < steps; t++)
    back = reverse_sweep(rows, cols, dt, u, d_u, kappa, d_kappa, back);
  free(tape);
}
