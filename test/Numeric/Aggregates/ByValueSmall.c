// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs that fit in registers, as argument and as result.
#include "check.h"

struct point {
  double x, y;
};
__attribute__((noinline)) static struct point rotate(struct point p, double c, double s) {
  struct point r = {c * p.x - s * p.y, s * p.x + c * p.y};
  return r;
}

double points(double x, double y) {
  struct point p = {x, x * y};
  p = rotate(p, 0.6, y);
  p = rotate(p, x, 0.8);
  return p.x * p.y;
}

ADZE_TEST_SCALAR2(points, ADZE_AT(0.9, 1.3, -0.5, 2.0))
