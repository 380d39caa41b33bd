// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Particles: an array of structs updated in time steps.
// ADZE: vectorized
#include "check.h"

struct particle {
  double x, v;
  int charge;
};

double particles(const double *x, int n) {
  struct particle p[3];
  for (int i = 0; i < 3; ++i)
    p[i] = (struct particle){x[i], x[3 + i], i % 2 ? -1 : 1};
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 3; ++i) {
      double force = 0;
      for (int j = 0; j < 3; ++j)
        if (j != i) {
          double d = p[i].x - p[j].x;
          force += p[i].charge * p[j].charge * d / (0.1 + d * d);
        }
      p[i].v += 0.05 * force;
    }
    for (int i = 0; i < 3; ++i)
      p[i].x += 0.05 * p[i].v;
  }
  double e = 0;
  for (int i = 0; i < 3; ++i)
    e += p[i].v * p[i].v * p[i].x;
  return e + 0 * n;
}

ADZE_TEST_ARRAY(particles, 6, ADZE_AT(0.9, 0.1, -0.5, 0.2, -0.3, 0.4))
