// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greeks of an arithmetic Asian call by Monte Carlo, pathwise. The logarithm x
// of the price over the strike follows a local volatility that has a level and
// a skew for each interval of time,
//
//   v = vol_t + skew_t x,
//   x' = x + (rate - v^2 / 2) dt + v sqrt(dt) z,
//
// with fixed normal numbers z. The payoff of a path is the positive part of the
// mean price less the strike, smoothed as a desk smooths it for Greeks,
//
//   payoff = width log(1 + exp((mean - strike) / width)),
//
// and the price of the option is the discounted mean over the paths.
//
//   market      spot, rate
//   vol, skew   `steps` each
//   normals     paths x steps
//
// The gradients are *added* to d_market, d_vol and d_skew.

#ifndef ADZE_BENCHMARKS_MONTECARLO_MONTECARLO_H
#define ADZE_BENCHMARKS_MONTECARLO_MONTECARLO_H

typedef struct {
  int paths, steps;
  double maturity, strike, width;
} montecarlo_option;

enum { MONTECARLO_SPOT, MONTECARLO_RATE, MONTECARLO_MARKET };

double montecarlo_primal(const montecarlo_option *option, const double *market,
                         const double *vol, const double *skew,
                         const double *normals);

void montecarlo_hand(const montecarlo_option *option, const double *market,
                     double *d_market, const double *vol, double *d_vol,
                     const double *skew, double *d_skew, const double *normals);

void montecarlo_generated(const montecarlo_option *option, const double *market,
                          double *d_market, const double *vol, double *d_vol,
                          const double *skew, double *d_skew,
                          const double *normals);

#endif
