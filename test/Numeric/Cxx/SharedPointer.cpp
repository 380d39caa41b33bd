// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::shared_ptr, copied and assigned: its counters change atomically, its deleter is virtual.
// ADZE: libcxx
#include "check.h"
#include <memory>

struct Box {
  double value;
  int uses;
};

extern "C" void shared(const double *x, double *y) {
  auto a = std::make_shared<Box>(Box{x[0] * x[1], 1});
  std::shared_ptr<Box> b = a;
  b->value *= x[2];
  b->uses += (int)a.use_count();
  b = std::make_shared<Box>(Box{x[1], 0});
  y[0] = a->value * a->uses;
  y[1] = b->value * a->value;
}

ADZE_TEST_MAP(shared, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
