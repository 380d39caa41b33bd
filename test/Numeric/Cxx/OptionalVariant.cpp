// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::optional and a hand-made variant in aligned storage, copied by value.
#include "check.h"
#include <new>
#include <optional>
#include <type_traits>
struct Either {
  alignas(double) unsigned char raw[8];
  int which;
  void set(double d) { new (raw) double(d), which = 1; }
  void set(long n) { new (raw) long(n), which = 2; }
  double get() const {
    return which == 1 ? *reinterpret_cast<const double *>(raw)
                      : double(*reinterpret_cast<const long *>(raw));
  }
};
static std::optional<double> root(double x) {
  if (x < 0)
    return std::nullopt;
  return x * x;
}
extern "C" void either(const double *x, double *y) {
  Either a, b;
  a.set(x[0] * x[1]);
  b.set(3L);
  Either c = a, d = b;
  y[0] = c.get() * d.get() * root(x[2]).value_or(x[0]) * root(x[1]).value_or(1);
}
ADZE_TEST_MAP(either, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
