// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of brusselator.h by hand.
//
// The tape is the states, one after the other: each step writes the next state
// there instead of updating in place, and needs no array of slopes. With b and
// c the adjoints of u and v after a step, and w = b - c, those before it are
//
//   u: b + dt (alpha laplacian(b) + 2 u v w - (A + 1) b + A c)
//   v: c + dt (alpha laplacian(c) + u^2 w)
//
// because the periodic Laplacian is symmetric, and the parameters receive
//
//   A:     dt sum u (c - b)      B: dt sum b
//   alpha: dt (n - 1)^2 sum (b laplacian(u) + c laplacian(v)),
//
// in which the Laplacian may as well be that of b and c, which is at hand.

#include "brusselator.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static double source(double x, double y, double t) {
  double dx = x - 0.3, dy = y - 0.6;
  return dx * dx + dy * dy <= 0.01 && t >= 1.1 ? 5.0 : 0.0;
}

/// Where the neighbours of a cell are: rows above and below, columns beside.
typedef struct {
  int up, down, left, right;
} neighbours;

static inline double laplacian(const double *u, int row, int j, neighbours at) {
  return u[at.up + j] + u[at.down + j] + u[row + at.left] + u[row + at.right] -
         4.0 * u[row + j];
}

static inline neighbours rows_of(int n, int i) {
  return (neighbours){(i == 0 ? n - 1 : i - 1) * n,
                      (i == n - 1 ? 0 : i + 1) * n, 0, 0};
}

static void step(const brusselator_grid *grid, double t,
                 const double *restrict u, double *restrict next,
                 const double *restrict parameters) {
  const int n = grid->n;
  const double *v = u + n * n;
  double *next_v = next + n * n;
  const double a = parameters[0], b = parameters[1], dt = grid->dt;
  const double alpha = parameters[2] * (n - 1) * (n - 1);
  for (int i = 0; i < n; i++) {
    neighbours near = rows_of(n, i);
    for (int j = 0; j < n; j++) {
      near.left = j == 0 ? n - 1 : j - 1;
      near.right = j == n - 1 ? 0 : j + 1;
      int at = i * n + j;
      double reaction = u[at] * u[at] * v[at];
      next[at] = u[at] + dt * (alpha * laplacian(u, i * n, j, near) + b +
                               reaction - (a + 1.0) * u[at] +
                               source(i / (n - 1.0), j / (n - 1.0), t));
      next_v[at] = v[at] + dt * (alpha * laplacian(v, i * n, j, near) +
                                 a * u[at] - reaction);
    }
  }
}

/// From the adjoint `b` after a step to `before`; adds to d_parameters.
static void reverse_step(const brusselator_grid *grid, const double *restrict u,
                         const double *restrict b, double *restrict before,
                         const double *restrict parameters,
                         double *restrict d_parameters) {
  const int n = grid->n;
  const double *v = u + n * n, *c = b + n * n;
  double *before_v = before + n * n;
  const double a = parameters[0], dt = grid->dt, scale = (n - 1) * (n - 1);
  const double alpha = parameters[2] * scale;
  double d_a = 0.0, d_b = 0.0, d_alpha = 0.0;
  for (int i = 0; i < n; i++) {
    neighbours near = rows_of(n, i);
    for (int j = 0; j < n; j++) {
      near.left = j == 0 ? n - 1 : j - 1;
      near.right = j == n - 1 ? 0 : j + 1;
      int at = i * n + j;
      double lb = laplacian(b, i * n, j, near);
      double lc = laplacian(c, i * n, j, near);
      double w = b[at] - c[at];
      before[at] = b[at] + dt * (alpha * lb + 2.0 * u[at] * v[at] * w -
                                 (a + 1.0) * b[at] + a * c[at]);
      before_v[at] = c[at] + dt * (alpha * lc + u[at] * u[at] * w);
      d_a -= u[at] * w;
      d_b += b[at];
      d_alpha += u[at] * lb + v[at] * lc;
    }
  }
  d_parameters[0] += dt * d_a;
  d_parameters[1] += dt * d_b;
  d_parameters[2] += dt * scale * d_alpha;
}

void brusselator_hand(const brusselator_grid *grid, double *state,
                      double *d_state, const double *parameters,
                      double *d_parameters, const double *target) {
  const size_t size = 2 * (size_t)grid->n * (size_t)grid->n;
  const size_t steps = (size_t)grid->steps;
  double *states = malloc((steps + 1) * size * sizeof(double));
  memcpy(states, state, size * sizeof(double));
  for (size_t t = 0; t < steps; t++)
    step(grid, grid->start + (double)t * grid->dt, states + t * size,
         states + (t + 1) * size, parameters);

  double *buffers = malloc(2 * size * sizeof(double));
  double *b = buffers, *before = buffers + size;
  const double *last = states + steps * size;
  for (size_t at = 0; at < size; at++)
    b[at] = d_state[at] + 2.0 * (last[at] - target[at]);
  for (size_t t = steps; t-- > 0;) {
    reverse_step(grid, states + t * size, b, before, parameters, d_parameters);
    double *swap = b;
    b = before;
    before = swap;
  }
  memcpy(d_state, b, size * sizeof(double));
  free(buffers);
  free(states);
}
