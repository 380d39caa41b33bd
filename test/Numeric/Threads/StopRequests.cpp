// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-pthread -std=c++20" libs="-pthread"
// std::jthread asks its thread to stop when it ends; what is called then, and
// callbacks that come too late.
#include "check.h"
#include <cmath>
#include <stop_token>
#include <thread>
#include <vector>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

extern "C" double joining(const double *x, int n) {
  double p[3] = {0, 0, 0};
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < 3; ++k)
      threads.emplace_back([&, k] {
        for (int i = k; i < n; i += 3)
          p[k] += x[i] * std::sin(x[i]);
      });
  }
  return p[0] * p[1] + p[2] * p[2];
}
ADZE_TEST_ARRAY(joining, Count, POINT)

extern "C" double callbacks(const double *x, int n) {
  double r = 0;
  std::stop_source source;
  {
    std::stop_callback first(source.get_token(), [&] { r += x[0] * x[1]; });
    std::stop_callback second(source.get_token(),
                              [&] { r = std::sin(x[2]) * r + x[n - 1]; });
    source.request_stop();
    source.request_stop();
  }
  std::stop_callback late(source.get_token(), [&] { r += x[2] * x[2] * r; });
  return r;
}
ADZE_TEST_ARRAY(callbacks, Count, POINT)
