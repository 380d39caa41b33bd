// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that capture by value and by reference, passed to templates and kept
// in structs.
#include "check.h"

template <class F> static double sum(int n, F f) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += f(i);
  return s;
}
template <class F> struct Holder {
  int n;
  F f;
  double operator()() const { return sum(n, f); }
};

extern "C" double lambdas(const double *x, int n) {
  double scale = x[0] * x[1];
  double total = 1;
  auto scaled = [=](int i) { return scale * x[i]; };
  auto counted = [&](int i) {
    total *= x[i];
    return total;
  };
  Holder<decltype(scaled)> h{n, scaled};
  return h() * sum(n, counted) + total;
}

ADZE_TEST_ARRAY(lambdas, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
