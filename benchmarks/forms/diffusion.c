// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 1-D stencil: u += c (u_left - 2 u + u_right) (1 + u^2) for 60 steps, with
// fixed ends, by copied, swapped and alternating buffers. Adjoint: all states
// are kept; the adjoint of a cell gathers from its neighbours.

#include "common/forms.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, MAX_N = 20000 };

static size_t inputs(int n) { return (size_t)n; }

static void make_inputs(int n, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = ((i * 37) % 101 - 50.0) / 60.0;
}

static void hand(int n, const int *index FORMS_UNUSED, const double *x,
                 double *restrict d_x) {
  double *u = malloc((size_t)n * (STEPS + 1) * sizeof *u);
  double *restrict d = malloc((size_t)n * sizeof *d);
  memcpy(u, x, (size_t)n * sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    const double *restrict p = u + t * n;
    double *restrict q = u + (t + 1) * n;
    q[0] = p[0];
    q[n - 1] = p[n - 1];
    for (int i = 1; i < n - 1; i++)
      q[i] =
          p[i] + 0.1 * (p[i - 1] - 2.0 * p[i] + p[i + 1]) * (1.0 + p[i] * p[i]);
  }
  memcpy(d_x, u + STEPS * n, (size_t)n * sizeof *u);
  for (int t = STEPS - 1; t >= 0; t--) {
    const double *restrict p = u + t * n;
    memcpy(d, d_x, (size_t)n * sizeof *d);
    for (int i = 1; i < n - 1; i++)
      d_x[i] = d[i] * (1.0 - 0.2 * (1.0 + p[i] * p[i]) +
                       0.2 * p[i] * (p[i - 1] - 2.0 * p[i] + p[i + 1]));
    for (int i = 1; i < n - 2; i++) {
      d_x[i] += 0.1 * d[i + 1] * (1.0 + p[i + 1] * p[i + 1]);
      d_x[i + 1] += 0.1 * d[i] * (1.0 + p[i] * p[i]);
    }
    d_x[0] += 0.1 * d[1] * (1.0 + p[1] * p[1]);
    d_x[n - 1] += 0.1 * d[n - 2] * (1.0 + p[n - 2] * p[n - 2]);
  }
  free(u);
  free(d);
}

COMPUTATION = {"diffusion", 20000, 40, inputs, NULL, NULL, make_inputs, hand};

static double cell(double left, double middle, double right) {
  return middle + 0.1 * (left - 2.0 * middle + right) * (1.0 + middle * middle);
}

FORM(copied_back, double, 2 * n) {
  double *u = work, *next = work + n;
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    for (int i = 1; i < n - 1; i++)
      u[i] = next[i];
  }
  return half_squares((size_t)n, u);
}

FORM(copied_first_memcpy, double, 0) {
  double *u = malloc((size_t)n * sizeof *u),
         *old = malloc((size_t)n * sizeof *u);
  memcpy(u, x, (size_t)n * sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    memcpy(old, u, (size_t)n * sizeof *u);
    for (int i = 1; i < n - 1; i++)
      u[i] = cell(old[i - 1], old[i], old[i + 1]);
  }
  double value = half_squares((size_t)n, u);
  free(u);
  free(old);
  return value;
}

FORM(pointers_swapped, double, 2 * n) {
  double *u = work, *next = work + n;
  memcpy(u, x, (size_t)n * sizeof *u);
  memcpy(next, x, (size_t)n * sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    double *swap = u;
    u = next;
    next = swap;
  }
  return half_squares((size_t)n, u);
}

FORM(pointers_swapped_on_heap, double, 0) {
  double *u = malloc((size_t)n * sizeof *u),
         *next = malloc((size_t)n * sizeof *u);
  memcpy(u, x, (size_t)n * sizeof *u);
  next[0] = u[0];
  next[n - 1] = u[n - 1];
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    double *swap = u;
    u = next;
    next = swap;
  }
  double value = half_squares((size_t)n, u);
  free(u);
  free(next);
  return value;
}

FORM(two_rows_by_parity, double, 2 * n) {
  double(*u)[n] = (double(*)[n])work;
  for (int i = 0; i < n; i++)
    u[0][i] = u[1][i] = x[i];
  for (int t = 0; t < STEPS; t++)
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 2][i] = cell(u[t % 2][i - 1], u[t % 2][i], u[t % 2][i + 1]);
  return half_squares((size_t)n, u[STEPS % 2]);
}

static void step(int n, const double *restrict u, double *restrict next) {
  for (int i = 1; i < n - 1; i++)
    next[i] = cell(u[i - 1], u[i], u[i + 1]);
}

FORM(alternating_calls, double, 2 * n) {
  double *even = work, *odd = work + n;
  memcpy(even, x, (size_t)n * sizeof *even);
  memcpy(odd, x, (size_t)n * sizeof *odd);
  for (int t = 0; t < STEPS; t += 2) {
    step(n, even, odd);
    step(n, odd, even);
  }
  return half_squares((size_t)n, even);
}

FORM(in_place_with_scalars, double, n) {
  memcpy(work, x, (size_t)n * sizeof *work);
  for (int t = 0; t < STEPS; t++) {
    double left = work[0];
    for (int i = 1; i < n - 1; i++) {
      double middle = work[i];
      work[i] = cell(left, middle, work[i + 1]);
      left = middle;
    }
  }
  return half_squares((size_t)n, work);
}

FORM(all_states, double, (size_t)n *(STEPS + 1)) {
  double(*u)[n] = (double(*)[n])work;
  memcpy(u, x, sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    u[t + 1][0] = u[t][0];
    u[t + 1][n - 1] = u[t][n - 1];
    for (int i = 1; i < n - 1; i++)
      u[t + 1][i] = cell(u[t][i - 1], u[t][i], u[t][i + 1]);
  }
  return half_squares((size_t)n, u[STEPS]);
}

FORM(on_stack_unsigned, double, 0) {
  double u[MAX_N], flux[MAX_N];
  unsigned m = (unsigned)n;
  for (unsigned i = 0; i < m; i++)
    u[i] = x[i];
  for (int t = 0; t < STEPS; t++) {
    for (unsigned i = 1; i < m - 1; i++)
      flux[i] = 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * (1.0 + u[i] * u[i]);
    for (unsigned i = 1; i < m - 1; i++)
      u[i] += flux[i];
  }
  return half_squares(m, u);
}

struct field {
  size_t count;
  double *now, *next;
};

static void advance(struct field *f) {
  for (size_t i = 1; i + 1 < f->count; i++)
    f->next[i] = cell(f->now[i - 1], f->now[i], f->now[i + 1]);
  double *swap = f->now;
  f->now = f->next;
  f->next = swap;
}

FORM(struct_of_pointers, double, 0) {
  struct field f = {(size_t)n, malloc((size_t)n * sizeof(double)),
                    malloc((size_t)n * sizeof(double))};
  for (int i = 0; i < n; i++)
    f.now[i] = f.next[i] = x[i];
  for (int t = 0; t < STEPS; t++)
    advance(&f);
  double value = half_squares(f.count, f.now);
  free(f.now);
  free(f.next);
  return value;
}

FORM(pointers_swapped_float, float, 2 * n) {
  float *u = work, *next = work + n;
  memcpy(u, x, (size_t)n * sizeof *u);
  memcpy(next, x, (size_t)n * sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = u[i] + 0.1f * (u[i - 1] - 2.0f * u[i] + u[i + 1]) *
                           (1.0f + u[i] * u[i]);
    float *swap = u;
    u = next;
    next = swap;
  }
  return half_squares_single((size_t)n, u);
}
