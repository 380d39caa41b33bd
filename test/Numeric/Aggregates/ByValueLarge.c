// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs passed byval and returned through sret; the callee changes its copy.
#include "check.h"

struct state {
  double v[5];
  int steps;
};
__attribute__((noinline)) static struct state advance(struct state s, double h) {
  for (int i = 0; i < 5; ++i)
    s.v[i] += h * s.v[(i + 1) % 5] * s.v[i];
  ++s.steps;
  return s;
}

double states(const double *x, int n) {
  struct state s = {{0}, 0};
  for (int i = 0; i < n; ++i)
    s.v[i] = x[i];
  struct state t = advance(s, x[0]);
  t = advance(t, 0.5);
  double r = 0;
  for (int i = 0; i < 5; ++i)
    r += s.v[i] * t.v[4 - i] * t.steps;
  return r;
}

ADZE_TEST_ARRAY(states, 5, ADZE_AT(0.9, 1.3, -0.5, 0.7, 0.2))
