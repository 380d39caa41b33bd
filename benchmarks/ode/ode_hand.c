// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of ode.h by hand.
//
// The tape keeps the states at which slopes are taken, 4 n numbers a step: a
// slope's adjoint k reaches x_i as k_i y_(i-1) and y_(i-1) as k_i x_i, and
// nothing else of a step is nonlinear. The adjoints of the slopes, from the
// last:
//
//   k4 = h/6 b             k3 = h/3 b + h s4      k2 = h/3 b + h/2 s3
//   k1 = h/6 b + h/2 s2    b += s4 + s3 + s2 + s1
//
// where b is the adjoint of the step's result and s_m that of the state of
// stage m, s_(i-1) = k_i x_i.

#include "ode.h"

#include <stddef.h>
#include <stdlib.h>

/// next = y + a f(state)
static void stage(int n, double a, const double *restrict x,
                  const double *restrict state, const double *restrict y,
                  double *restrict next) {
  next[0] = y[0] + a * x[0];
  for (int i = 1; i < n; i++)
    next[i] = y[i] + a * x[i] * state[i - 1];
}

/// One step that keeps what y was before it.
static void forward_step(int n, double h, const double *restrict x,
                         double *restrict y, double *restrict tape,
                         double *restrict work) {
  double *restrict second = work;
  double *restrict third = second + n;
  double *restrict fourth = third + n;
  for (int i = 0; i < n; i++)
    tape[i] = y[i];
  stage(n, 0.5 * h, x, tape, tape, second);
  stage(n, 0.5 * h, x, second, tape, third);
  stage(n, h, x, third, tape, fourth);
  y[0] += h * x[0];
  for (int i = 1; i < n; i++)
    y[i] +=
        h / 6.0 * x[i] *
        (tape[i - 1] + 2.0 * (second[i - 1] + third[i - 1]) + fourth[i - 1]);
}

/// The adjoint of one slope: k_i = w b_i + a later_i, where `later` is the
/// adjoint of the state that this slope led to, goes to x and to `s`, and `s`
/// is added to b_total.
static void reverse_slope(int n, double w, const double *restrict b, double a,
                          const double *restrict later,
                          const double *restrict x, double *restrict d_x,
                          const double *restrict state, double *restrict s,
                          double *restrict b_total) {
  d_x[0] += w * b[0] + a * later[0];
  for (int i = 1; i < n; i++) {
    double k = w * b[i] + a * later[i];
    d_x[i] += k * state[i - 1];
    s[i - 1] = k * x[i];
    b_total[i - 1] += s[i - 1];
  }
  s[n - 1] = 0.0;
}

static void reverse_step(int n, double h, const double *restrict x,
                         double *restrict d_x, const double *restrict first,
                         double *restrict d_y, double *restrict work,
                         double *restrict b, double *restrict s,
                         double *restrict t) {
  double *restrict second = work;
  double *restrict third = second + n;
  double *restrict fourth = third + n;
  stage(n, 0.5 * h, x, first, first, second);
  stage(n, 0.5 * h, x, second, first, third);
  stage(n, h, x, third, first, fourth);
  for (int i = 0; i < n; i++) {
    b[i] = d_y[i];
    t[i] = 0.0;
  }
  reverse_slope(n, h / 6.0, b, 0.0, t, x, d_x, fourth, s, d_y);
  reverse_slope(n, h / 3.0, b, h, s, x, d_x, third, t, d_y);
  reverse_slope(n, h / 3.0, b, 0.5 * h, t, x, d_x, second, s, d_y);
  reverse_slope(n, h / 6.0, b, 0.5 * h, s, x, d_x, first, t, d_y);
}

void ode_hand(int n, int steps, const double *x, double *d_x, double *y,
              double *d_y, double *work, double *d_work) {
  const double h = 2.0 / steps;
  const size_t size = (size_t)n;
  double *tape = malloc(size * (size_t)steps * sizeof(double));
  for (int s = 0; s < steps; s++)
    forward_step(n, h, x, y, tape + size * (size_t)s, work);
  for (int i = 0; i < n; i++)
    d_y[i] += 1.0;
  for (int s = steps - 1; s >= 0; s--)
    reverse_step(n, h, x, d_x, tape + size * (size_t)s, d_y, work, d_work,
                 d_work + size, d_work + 2 * size);
  free(tape);
}
