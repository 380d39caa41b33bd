// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: no-jit flags="-pthread -std=c++17" libs="-pthread" levels=O0,O1,O2,O3 compile-limit=180 may-refuse=O2noalias
// std::promise of libstdc++.
#include "check.h"
#include <cmath>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

static double part(const double *x, int begin, int end) {
  double s = 0;
  for (int i = begin; i < end; ++i)
    s += std::sin(x[i]) * x[i];
  return s;
}

// Promises that a thread keeps, of values, references and nothing.
extern "C" double promised(const double *x, int n) {
  std::promise<double> value;
  std::promise<double &> place;
  std::promise<void> over;
  std::future<double> first = value.get_future();
  std::future<double &> second = place.get_future();
  double kept = 0, last = 0;
  std::thread t([&] {
    value.set_value(part(x, 0, n));
    kept = x[0] * x[1];
    place.set_value(kept);
    last = x[n - 1] * kept;
    over.set_value();
  });
  double s = first.get() * second.get();
  over.get_future().wait();
  t.join();
  return s * last + kept;
}
ADZE_TEST_ARRAY(promised, Count, POINT)
