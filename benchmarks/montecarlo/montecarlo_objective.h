// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of montecarlo.h, in a header so that the file with the marker
// call sees it.

#ifndef ADZE_BENCHMARKS_MONTECARLO_MONTECARLO_OBJECTIVE_H
#define ADZE_BENCHMARKS_MONTECARLO_MONTECARLO_OBJECTIVE_H

#include "montecarlo.h"

#include <math.h>

/// Mean price along one path.
static double montecarlo_mean(int steps, double dt, double root, double strike,
                              const double *restrict market,
                              const double *restrict vol,
                              const double *restrict skew,
                              const double *restrict z) {
  double x = log(market[MONTECARLO_SPOT] / strike);
  double sum = 0.0;
  for (int t = 0; t < steps; t++) {
    double v = vol[t] + skew[t] * x;
    x += (market[MONTECARLO_RATE] - 0.5 * v * v) * dt + v * root * z[t];
    sum += strike * exp(x);
  }
  return sum / steps;
}

static double montecarlo_objective(const montecarlo_option *restrict option,
                                   const double *restrict market,
                                   const double *restrict vol,
                                   const double *restrict skew,
                                   const double *restrict normals) {
  const int steps = option->steps;
  double dt = option->maturity / steps, root = sqrt(dt);
  double sum = 0.0;
  for (int p = 0; p < option->paths; p++) {
    double mean = montecarlo_mean(steps, dt, root, option->strike, market, vol,
                                  skew, normals + p * steps);
    double money = (mean - option->strike) / option->width;
    sum += option->width * log1p(exp(money));
  }
  return exp(-market[MONTECARLO_RATE] * option->maturity) * sum / option->paths;
}

#endif
