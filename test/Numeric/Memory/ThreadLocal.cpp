// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of a thread: of a file, of a function, of a class, and one with a
// constructor and a destructor.
#include "check.h"
#include <math.h>
#define NOINLINE __attribute__((noinline))

namespace {
thread_local double total, products[4];
struct Scaled {
  static thread_local double factor, table[3];
  double of(double v) const { return v * factor + table[1]; }
};
thread_local double Scaled::factor = 3, Scaled::table[3] = {1, 2, 3};
NOINLINE void add(double v) { total += v; }
NOINLINE double *cell() {
  static thread_local double value;
  return &value;
}
} // namespace

extern "C" void f(const double *x, double *y) {
  total = 0;
  for (int i = 0; i < 4; ++i)
    products[i] = x[i] * x[i];
  for (int i = 0; i < 4; ++i)
    add(products[i] * products[3 - i]);
  y[0] = total;
  Scaled s;
  *cell() = 0;
  for (int i = 0; i < 4; ++i)
    *cell() += s.of(sin(x[i]));
  *cell() *= x[0];
  y[1] = *cell();
}
ADZE_TEST_MAP(f, 4, 2, ADZE_AT(0.5, 0.8, -0.3, 1.1))
