// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects constructed in a buffer of bytes.
#include "check.h"
#include <new>

struct Base {
  explicit Base(double v) : value(v) {}
  double value;
  int used = 1;
};
struct Wide : Base {
  Wide(double v, double w) : Base(v), more(w) {}
  double more;
};

extern "C" void placed(const double *x, double *y) {
  alignas(Wide) unsigned char raw[2 * sizeof(Wide)];
  Wide *a = new (raw) Wide(x[0] * x[1], x[2]);
  Base *b = new (raw + sizeof(Wide)) Base(a->more * a->value);
  b->used += a->used;
  y[0] = b->value * b->used;
  a->~Wide();
  Base *c = new (raw) Base(x[1]);
  y[1] = c->value * c->value * b->value;
}

ADZE_TEST_MAP(placed, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
