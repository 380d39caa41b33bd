// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// new and delete, of arrays and of objects, and with an alignment.
#include "check.h"
#include <cstddef>
#include <new>

struct alignas(64) Wide {
  double v[8];
};
struct Point {
  double x, y;
};

extern "C" double objects(const double *x, int n) {
  double *a = new double[(size_t)n];
  Point *p = new Point{x[0], x[1] * x[0]};
  Wide *w = new Wide();
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * p->x;
    w->v[i] += a[i] * p->y;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w->v[i] * a[n - 1 - i];
  delete w;
  delete p;
  delete[] a;
  return s;
}

ADZE_TEST_ARRAY(objects, 4, ADZE_AT(0.9, 1.8, -0.7, 0.5))
