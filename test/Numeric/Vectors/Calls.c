// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors as arguments and results of functions, also of a function with branches.
#include "check.h"

typedef double d2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));

__attribute__((noinline)) static d2 turn(d2 p, double t) {
  if (t > 1)
    return p.yx * t;
  d2 r = {p.x * t - p.y, p.x + p.y * t};
  return r;
}
__attribute__((noinline)) static f4 mix(f4 a, f4 b) { return a * b.wzyx + 0.5f; }

void work(const double *x, double *y) {
  d2 p = {x[0], x[1]};
  p = turn(turn(p, x[2]), 2 * x[2]);
  y[0] = p.x;
  y[1] = p.y;
}
ADZE_TEST_MAP(work, 3, 2, ADZE_AT(0.75, 1.25, -0.5, 0.3, 0.4, 0.7))

void workf(const float *x, float *y) {
  f4 a = {x[0], x[1], 1, x[0]};
  a = mix(a, mix(a, a));
  y[0] = a.x * a.w;
  y[1] = a.y * a.z;
}
static void twin(const long double *x, long double *y) {
  long double a[4] = {x[0], x[1], 1, x[0]}, b[4], c[4];
  for (int i = 0; i < 4; ++i)
    b[i] = a[i] * a[3 - i] + 0.5L;
  for (int i = 0; i < 4; ++i)
    c[i] = a[i] * b[3 - i] + 0.5L;
  y[0] = c[0] * c[3];
  y[1] = c[1] * c[2];
}
ADZE_TEST_MAP_T(float, workf, 2, 2, ADZE_AT(0.75, 1.25), .twin = twin, .tolerance = 2e-5)
