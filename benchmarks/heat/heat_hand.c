// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of heat.h by hand.
//
// The conductivity's derivative needs every state. All states lie one after
// the other in one array, and each step writes the next one there, so keeping
// them costs no copy.
//
// With b the adjoint of the new state, of which the border counts only through
// the objective, the adjoint of the old one gathers
//
//   a_c = b_c + dt/2 sum_n (kappa_c + kappa_n) (b_n - b_c)
//
// because the flux is symmetric in the cells it joins. Each face between c and
// n adds dt/2 (u_n - u_c) (b_c - b_n) to the derivative by kappa_c and by
// kappa_n. b is taken as zero on the border for both; the border's own adjoint
// stays where it is and gathers.

#include "heat.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void step(int rows, int cols, double dt, const double *restrict u,
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

/// Inner cells of the adjoint of the state before a step, and of the
/// derivative by the conductivity. `b` is the adjoint after it, zero on the
/// border.
static void reverse_inner(int rows, int cols, double dt,
                          const double *restrict u, const double *restrict b,
                          double *restrict a, const double *restrict kappa,
                          double *restrict d_kappa) {
  const double half = 0.5 * dt;
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < cols - 1; j++) {
      int at = i * cols + j;
      double up = b[at - cols] - b[at], left = b[at - 1] - b[at];
      double right = b[at + 1] - b[at], down = b[at + cols] - b[at];
      a[at] = b[at] + half * ((kappa[at] + kappa[at - cols]) * up +
                              (kappa[at] + kappa[at - 1]) * left +
                              (kappa[at] + kappa[at + 1]) * right +
                              (kappa[at] + kappa[at + cols]) * down);
      d_kappa[at] -=
          half * (up * (u[at - cols] - u[at]) + left * (u[at - 1] - u[at]) +
                  right * (u[at + 1] - u[at]) + down * (u[at + cols] - u[at]));
    }
}

/// A border cell with its one inner neighbour: what the adjoint of the border
/// and the conductivity of the border receive.
static void reverse_border_cell(double dt, const double *restrict u,
                                const double *restrict b,
                                double *restrict border,
                                const double *restrict kappa,
                                double *restrict d_kappa, int at, int inner) {
  border[at] += 0.5 * dt * (kappa[at] + kappa[inner]) * b[inner];
  d_kappa[at] += 0.5 * dt * (u[at] - u[inner]) * b[inner];
}

static void reverse_border(int rows, int cols, double dt,
                           const double *restrict u, const double *restrict b,
                           double *restrict border,
                           const double *restrict kappa,
                           double *restrict d_kappa) {
  int last = (rows - 1) * cols;
  for (int j = 1; j < cols - 1; j++) {
    reverse_border_cell(dt, u, b, border, kappa, d_kappa, j, j + cols);
    reverse_border_cell(dt, u, b, border, kappa, d_kappa, last + j,
                        last + j - cols);
  }
  for (int i = 1; i < rows - 1; i++) {
    int at = i * cols;
    reverse_border_cell(dt, u, b, border, kappa, d_kappa, at, at + 1);
    reverse_border_cell(dt, u, b, border, kappa, d_kappa, at + cols - 1,
                        at + cols - 2);
  }
}

static void clear_border(int rows, int cols, double *b) {
  memset(b, 0, (size_t)cols * sizeof(double));
  memset(b + (rows - 1) * cols, 0, (size_t)cols * sizeof(double));
  for (int i = 1; i < rows - 1; i++)
    b[i * cols] = b[i * cols + cols - 1] = 0.0;
}

void heat_hand(int rows, int cols, int steps, double dt, const double *u,
               double *d_u, const double *kappa, double *d_kappa,
               const double *target) {
  const size_t cells = (size_t)rows * (size_t)cols;
  double *states = malloc(((size_t)steps + 1) * cells * sizeof(double));
  memcpy(states, u, cells * sizeof(double));
  for (int t = 0; t < steps; t++) {
    double *next = states + ((size_t)t + 1) * cells;
    step(rows, cols, dt, next - cells, next, kappa);
    // The border, which a step leaves alone.
    memcpy(next, u, (size_t)cols * sizeof(double));
    memcpy(next + cells - cols, u + cells - cols,
           (size_t)cols * sizeof(double));
    for (int i = 1; i < rows - 1; i++) {
      next[i * cols] = u[i * cols];
      next[i * cols + cols - 1] = u[i * cols + cols - 1];
    }
  }

  double *buffers = malloc(3 * cells * sizeof(double));
  double *b = buffers, *a = b + cells, *border = a + cells;
  const double *end = states + (size_t)steps * cells;
  for (size_t at = 0; at < cells; at++)
    border[at] = b[at] = 2.0 * (end[at] - target[at]);
  clear_border(rows, cols, b);
  clear_border(rows, cols, a);
  for (int t = steps - 1; t >= 0; t--) {
    const double *state = states + (size_t)t * cells;
    reverse_inner(rows, cols, dt, state, b, a, kappa, d_kappa);
    reverse_border(rows, cols, dt, state, b, border, kappa, d_kappa);
    double *last = b;
    b = a;
    a = last;
  }
  // b is zero on the border, where `border` counts; inside it is the reverse.
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      int at = i * cols + j;
      d_u[at] += (i == 0 || j == 0 || i == rows - 1 || j == cols - 1)
                     ? border[at]
                     : b[at];
    }
  free(buffers);
  free(states);
}
