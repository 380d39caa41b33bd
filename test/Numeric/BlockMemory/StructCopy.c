// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs assigned whole, also through pointers and in arrays, and to themselves.
#include "check.h"

struct body {
  double position[3];
  int id;
  double mass;
};

static double energy(const struct body *a, struct body b) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += a->position[i] * b.position[i];
  return s * a->mass * b.mass * (a->id + b.id);
}

struct row {
  double of[6];
};

double bodies(const double *x, int n) {
  struct body a[2], t;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 3; ++i)
      a[k].position[i] = x[(4 * k + i) % n];
    a[k].id = k + 1;
    a[k].mass = x[4 * k + 3];
  }
  t = a[0];
  a[0] = a[1];
  a[1] = t;
  a[1].mass *= a[0].position[0];
  a[n - 8] = a[0]; // n is 8
  struct row r[2];
  for (int i = 0; i < 6; ++i)
    r[0].of[i] = x[i] * x[i + 2];
  r[n - 8] = r[0];
  r[1] = r[n - 8];
  return energy(a, a[1]) + energy(&t, a[0]) + r[0].of[1] * r[1].of[4] + r[1].of[5];
}

ADZE_TEST_ARRAY(bodies, 8, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6, -0.2, 0.3, 0.8))
