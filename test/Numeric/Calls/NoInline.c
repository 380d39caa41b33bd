// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that stay calls at every level; the callee overwrites memory it was given.
#include "check.h"
#include <math.h>

__attribute__((noinline)) static double step(double *state, double h) {
  double old = state[0];
  state[0] += h * state[1];
  state[1] -= h * sin(old);
  return state[0] * old;
}

double pendulum(const double *x, int n) {
  double state[2] = {x[0], x[1]}, s = 0;
  for (int i = 0; i < 5; ++i)
    s += step(state, x[n - 1]) * (i + 1);
  return s + state[1];
}

ADZE_TEST_ARRAY(pendulum, 3, ADZE_AT(0.9, 0.3, 0.1))
