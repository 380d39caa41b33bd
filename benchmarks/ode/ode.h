// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear chain of ordinary differential equations, y_0' = x_0 and
// y_i' = x_i y_(i-1), integrated from t = 0 to 2 by `steps` steps of the
// classical Runge-Kutta method of fourth order (GradBench's ode, cmpad's
// an_ode). There y starts at 0 and the objective is the last y; with more
// equations than stages that is exactly 0, and so are nearly all derivatives.
// Here y starts where the caller says and the objective is the sum of all y, so
// that every derivative can be checked at any n. The arithmetic is the same.
//
//   x     n rates
//   y     n, read as the initial state, overwritten by the last
//   work  3 n, scratch: two slopes and the state of a stage
//
// The gradients are *added* to d_x. `d_y` is the shadow of an argument that is
// overwritten: on entry the adjoint of the final state, on exit that of the
// initial one. `d_work` is zero on entry. What y and work hold
// after a gradient is not specified.

#ifndef ADZE_BENCHMARKS_ODE_ODE_H
#define ADZE_BENCHMARKS_ODE_ODE_H

/// What the tools of tools.h are given; their x is the rates and then the
/// initial state.
typedef struct {
  int n, steps;
} ode_sizes;

double ode_primal(int n, int steps, const double *x, double *y, double *work);

void ode_hand(int n, int steps, const double *x, double *d_x, double *y,
              double *d_y, double *work, double *d_work);

void ode_generated(int n, int steps, const double *x, double *d_x, double *y,
                   double *d_y, double *work, double *d_work);

#endif
