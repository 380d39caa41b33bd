// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: no-jit flags="-pthread -std=c++17" libs="-pthread" levels=O0,O1,O2,O3 compile-limit=180
// std::async of libstdc++.
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

// Lambdas in threads, and where they are asked for.
extern "C" double launched(const double *x, int n) {
  auto a = std::async(std::launch::async, [=] { return part(x, 0, n / 2); });
  auto b = std::async([=] { return part(x, n / 2, n) * x[0]; });
  auto c =
      std::async(std::launch::deferred, [&] { return x[1] * x[n - 1] * x[2]; });
  return a.get() * b.get() + c.get();
}
ADZE_TEST_ARRAY(launched, Count, POINT)

// As many as there are parts.
extern "C" double several(const double *x, int n) {
  std::vector<std::future<double>> parts;
  for (int k = 0; k < 3; ++k)
    parts.push_back(std::async(std::launch::async, [=] {
      return part(x, n * k / 3, n * (k + 1) / 3);
    }));
  double s = x[0];
  for (std::future<double> &each : parts) {
    each.wait();
    s = s * each.get() + 0.5 * s * s;
  }
  return s;
}
ADZE_TEST_ARRAY(several, Count, POINT)
