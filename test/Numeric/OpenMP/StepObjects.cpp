// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -std=c++17" libs="-fopenmp"
// ADZE: skip-unless=header:omp.h
// Time loops with adze_checkpoint over containers, in methods.
#ifndef TEAMS
#include <cmath>
#include <vector>

#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

struct IN(Grid) {
  std::vector<double> now, next;
  explicit IN(Grid)(const double *x, int n) : now(x, x + n), next(n) {}
  void step(double rate) {
    const int n = int(now.size());
    OMP(parallel for)
    for (int i = 0; i < n; ++i)
      next[i] = now[i] +
                rate * (now[(i + 1) % n] - 2 * now[i] + now[(i + n - 1) % n]) *
                    now[i];
    now.swap(next);
  }
};
PROGRAM(method) {
  IN(Grid) g(x, n);
  for (int t = 0; t < 12; ++t) {
    adze_checkpoint(3);
    g.step(0.05);
  }
  double s = 0;
  for (double v : g.now)
    s += v * v;
  return s;
}

// Each thread has a vector of its own.
PROGRAM(scratch) {
  std::vector<double> u(x, x + n);
  for (int t = 0; t < 8; ++t) {
    adze_checkpoint(2);
    OMP(parallel) {
      std::vector<double> part(4);
      OMP(for)
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k)
          part[k] = u[i] * x[k];
        u[i] = 0.5 * (part[0] + part[3]) + 0.1 * part[1] * part[2];
      }
    }
  }
  double s = 0;
  for (double w : u)
    s += w * w;
  return s;
}

#endif
