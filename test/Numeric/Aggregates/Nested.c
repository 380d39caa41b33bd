// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs in structs in arrays, assigned field by field and whole.
#include "check.h"

struct inner {
  double u[2];
  int k;
};
struct outer {
  struct inner part[2];
  double w;
};

static struct outer build(const double *x) {
  struct outer o;
  for (int i = 0; i < 2; ++i) {
    o.part[i].u[0] = x[i];
    o.part[i].u[1] = x[i] * x[2];
    o.part[i].k = i + 1;
  }
  o.w = x[3];
  return o;
}

double nest(const double *x, int n) {
  struct outer a[2];
  a[0] = build(x);
  a[1] = a[0];
  a[1].part[0] = a[0].part[1];
  a[0].w *= a[1].part[0].u[1];
  double s = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      s += a[i].part[j].u[0] * a[1 - i].part[j].u[1] * a[i].w * a[i].part[j].k;
  return s + n * 0;
}

ADZE_TEST_ARRAY(nest, 4, ADZE_AT(0.9, 1.3, -0.5, 2.0))
