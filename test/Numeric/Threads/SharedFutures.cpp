// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: no-jit flags="-pthread -std=c++17" libs="-pthread" levels=O0,O1,O2,O3 compile-limit=180
// std::shared_future of libstdc++, and questions whether futures are ready.
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

// Asked for more than once, and whether they are ready.
extern "C" double shared(const double *x, int n) {
  std::shared_future<double> a =
      std::async(std::launch::async, [=] { return part(x, 0, n); }).share();
  std::shared_future<double> b = a;
  auto c = std::async(std::launch::async, [=] { return a.get() * x[0]; });
  auto d = std::async(std::launch::deferred, [=] { return b.get() * x[1]; });
  double s = c.wait_for(std::chrono::seconds(1)) == std::future_status::ready
                 ? x[2]
                 : 1;
  if (d.wait_for(std::chrono::seconds(0)) == std::future_status::deferred)
    s *= x[3];
  return c.get() * d.get() * s + b.get();
}
ADZE_TEST_ARRAY(shared, Count, POINT)
