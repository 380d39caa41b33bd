// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: no-jit flags="-pthread -std=c++17" libs="-pthread" levels=O0,O1,O2,O3 compile-limit=180 may-refuse=O2noalias
// std::packaged_task of libstdc++.
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

// Tasks that are called here, and in a thread.
extern "C" double packaged(const double *x, int n) {
  std::packaged_task<double(double)> task(
      [=](double y) { return y * x[1] * part(x, 0, n); });
  std::packaged_task<double(const double *, int, int)> other(part);
  std::future<double> a = task.get_future(), b = other.get_future();
  task(x[0] * x[2]);
  std::thread(std::move(other), x, 1, n).join();
  return a.get() * b.get() + x[4];
}
ADZE_TEST_ARRAY(packaged, Count, POINT)
