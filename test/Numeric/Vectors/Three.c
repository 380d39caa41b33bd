// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of three lanes, which have the room of four, and of one lane.
#include "check.h"

typedef double d3 __attribute__((ext_vector_type(3)));
typedef double d1 __attribute__((ext_vector_type(1)));

static d3 cross(d3 a, d3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }

void work(const double *x, double *y) {
  d3 a = {x[0], x[1], x[2]}, b = {x[3], x[0], 1};
  d3 box[2];
  box[0] = cross(a, b);
  box[1] = cross(box[0], a * a);
  d1 one = {box[1].x};
  one = one * one;
  y[0] = box[1].y;
  y[1] = box[0].z + box[1].z;
  y[2] = one[0];
}

ADZE_TEST_MAP(work, 4, 3, ADZE_AT(0.75, 1.125, -0.5, -2.0))
