// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: no-jit flags="-pthread -std=c++17" libs="-pthread" levels=O0,O1,O2,O3 compile-limit=180
// std::async of libstdc++: what is copied for a thread, results that are no numbers, exceptions.
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

// Functions with arguments that are copied, and results that are no numbers.
extern "C" double arguments(const double *x, int n) {
  auto a = std::async(std::launch::async, part, x, 0, n / 2);
  double scale = x[3] * x[3];
  auto b = std::async(
      std::launch::async,
      [](const double *x, int n, double &scale) {
        std::vector<double> v(n);
        for (int i = 0; i < n; ++i)
          v[i] = x[i] * x[i] * scale;
        scale *= 2;
        return v;
      },
      x, n, std::ref(scale));
  std::vector<double> v = b.get();
  double s = a.get() * scale;
  for (double each : v)
    s = s * 0.5 + each * each;
  return s;
}
ADZE_TEST_ARRAY(arguments, Count, POINT)

// What a function throws instead of a result is thrown where that is asked for.
extern "C" double thrown(const double *x, int n) {
  double s = x[0];
  for (int i = 0; i < 3; ++i) {
    auto a = std::async(std::launch::async, [=] {
      if (x[i] < 0)
        throw std::domain_error("negative");
      return x[i] * part(x, i, n);
    });
    try {
      s *= 1 + a.get();
    } catch (const std::domain_error &) {
      s += x[i] * x[4];
    }
  }
  return s;
}
ADZE_TEST_ARRAY(thrown, Count, POINT)
