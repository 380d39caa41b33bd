// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of montecarlo.h by hand: path by path, so that the tape is one
// path long. It keeps x before every step, and the prices, whose exponentials
// are dear. With a the adjoint of x after a step and m the adjoint of the mean:
//
//   a += m price / steps
//   rate += dt a    v = a (root z - v dt)    vol += v    skew += v x
//   a += v skew

#include "montecarlo.h"

#include <math.h>
#include <stdlib.h>

/// Mean price of a path; keeps x before and the price after every step.
static double forward(int steps, double dt, double root, double strike,
                      const double *restrict market, const double *restrict vol,
                      const double *restrict skew, const double *restrict z,
                      double *restrict state, double *restrict price) {
  double x = log(market[MONTECARLO_SPOT] / strike);
  double sum = 0.0;
  for (int t = 0; t < steps; t++) {
    state[t] = x;
    double v = vol[t] + skew[t] * x;
    x += (market[MONTECARLO_RATE] - 0.5 * v * v) * dt + v * root * z[t];
    price[t] = strike * exp(x);
    sum += price[t];
  }
  return sum / steps;
}

/// `bar` is the adjoint of each of the prices.
static void reverse(int steps, double dt, double root, double bar,
                    const double *restrict market, double *restrict d_market,
                    const double *restrict vol, double *restrict d_vol,
                    const double *restrict skew, double *restrict d_skew,
                    const double *restrict z, const double *restrict state,
                    const double *restrict price) {
  double a = 0.0, rate = 0.0;
  for (int t = steps - 1; t >= 0; t--) {
    a += bar * price[t];
    rate += dt * a;
    double v = a * (root * z[t] - (vol[t] + skew[t] * state[t]) * dt);
    d_vol[t] += v;
    d_skew[t] += v * state[t];
    a += v * skew[t];
  }
  d_market[MONTECARLO_RATE] += rate;
  d_market[MONTECARLO_SPOT] += a / market[MONTECARLO_SPOT];
}

void montecarlo_hand(const montecarlo_option *option, const double *market,
                     double *d_market, const double *vol, double *d_vol,
                     const double *skew, double *d_skew,
                     const double *normals) {
  const int steps = option->steps;
  const double dt = option->maturity / steps, root = sqrt(dt);
  const double discount = exp(-market[MONTECARLO_RATE] * option->maturity);
  double *tape = malloc(2 * (size_t)steps * sizeof(double));
  double sum = 0.0;
  for (int p = 0; p < option->paths; p++) {
    const double *z = normals + p * steps;
    double mean = forward(steps, dt, root, option->strike, market, vol, skew, z,
                          tape, tape + steps);
    double e = exp((mean - option->strike) / option->width);
    sum += option->width * log1p(e);
    double bar = discount / option->paths * e / (1.0 + e) / steps;
    reverse(steps, dt, root, bar, market, d_market, vol, d_vol, skew, d_skew, z,
            tape, tape + steps);
  }
  d_market[MONTECARLO_RATE] -=
      option->maturity * discount * sum / option->paths;
  free(tape);
}
