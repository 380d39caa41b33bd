// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic floats, as one thread uses them.
// ADZE: flags="-std=c++20"
#include "check.h"
#include <atomic>
#include <cmath>

struct Sums {
  std::atomic<double> total{0.0};
  std::atomic<double> product{1.0};
  std::atomic<double *> place{nullptr};
};

__attribute__((noinline)) static void add(Sums &s, double x) {
  s.total.fetch_add(x * x);
  s.total -= std::sin(x);
  double old = s.product.load();
  while (!s.product.compare_exchange_weak(old, old * (1 + x * x)))
    ;
}

extern "C" double atomics(const double *x, int n) {
  Sums s;
  double memory[2] = {x[0], x[1]}, largest = -10, last = 0;
  s.place.store(memory);
  for (int i = 0; i < n; ++i) {
    add(s, x[i]);
    __atomic_fetch_max(&largest, x[i] * x[i], __ATOMIC_RELAXED);
    last += s.total.exchange(s.total.load() * x[i]) * i;
    double *was = s.place.exchange(memory + (i & 1));
    *was *= x[i];
  }
  double expected = 1000, wanted = x[2];
  s.total.compare_exchange_strong(expected, wanted); // fails
  return s.total.load() * last + s.product * *s.place.load() + largest +
         expected;
}
ADZE_TEST_ARRAY(atomics, 3, ADZE_AT(0.5, -1.5, 2.0))
