// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-pthread -std=c++20" libs="-pthread" levels=O1,O2,O3
// Functions with arguments that std::thread copies. (At -O0 it is not seen what
// the calls through pointers inside the library lead to.)
#include "check.h"
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

static void part(const double *x, int begin, int end, double &result) {
  double s = 0;
  for (int i = begin; i < end; ++i)
    s += std::sin(x[i]) * x[i];
  result = s;
}

struct Sums {
  const double *x;
  double result = 0;
  void run(int begin, int end) {
    for (int i = begin; i < end; ++i)
      result += x[i] * x[i] * x[0];
  }
};

extern "C" double arguments(const double *x, int n) {
  double p = 0, q = 0;
  Sums s{x};
  std::thread a(part, x, 0, n / 2, std::ref(p));
  std::thread b(part, x, n / 2, n, std::ref(q));
  std::thread c(&Sums::run, &s, 1, n);
  a.join();
  b.join();
  c.join();
  return p * q + s.result;
}
ADZE_TEST_ARRAY(arguments, Count, POINT)
