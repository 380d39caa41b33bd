// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Straight code that the SLP vectorizer joins into vectors.
// ADZE: vectorized
#include "check.h"
#include <math.h>

struct quaternion {
  double w, x, y, z;
};
static struct quaternion product(struct quaternion a, struct quaternion b) {
  struct quaternion r = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                         a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                         a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  return r;
}

void rotate(const double *x, double *y) {
  struct quaternion q = {x[0], x[1], x[2], x[3]}, p = {0, x[4], x[5], x[6]};
  struct quaternion c = {q.w, -q.x, -q.y, -q.z};
  struct quaternion r = product(product(q, p), c);
  double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  y[0] = r.x / n;
  y[1] = r.y / n;
  y[2] = r.z / n;
}

ADZE_TEST_MAP(rotate, 7, 3, ADZE_AT(0.75, 1.125, -0.5, -2.0, 0.3, 0.4, 0.7))
