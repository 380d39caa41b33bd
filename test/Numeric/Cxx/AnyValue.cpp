// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::any: a number in its buffer, a structure on the heap.
// ADZE: libcxx may-refuse=O0libcxx
#include "check.h"
#include <any>

extern "C" double numbers(const double *x, int) {
  std::any a = x[0];
  double s = std::any_cast<double>(a) * x[1];
  a = x[2] * x[2];
  std::any b = a;
  return s + std::any_cast<double>(b) * std::any_cast<double &>(a);
}
ADZE_TEST_ARRAY(numbers, 3, ADZE_AT(0.5, 0.7, -0.4))

struct Big {
  double v[5];
};
extern "C" double structures(const double *x, int) {
  std::any a = Big{{x[0], x[1], x[2], x[3], x[0] * x[1]}};
  std::any b = a;
  std::any_cast<Big &>(b).v[4] *= 2;
  return std::any_cast<Big &>(a).v[4] * std::any_cast<const Big &>(b).v[4];
}
ADZE_TEST_ARRAY(structures, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

// A structure and a number in turn: one function for each does all that is done
// with it, as an argument says.
extern "C" double inTurn(const double *x, int n) {
  std::any a = Big{{x[0], x[1], x[2], x[3], x[0] * x[1]}}, b = x[3], c = n;
  double s = std::any_cast<int>(c) * std::any_cast<double>(b);
  b = a;
  a = std::any_cast<Big &>(b).v[4] * x[2];
  s += std::any_cast<double>(a) * std::any_cast<Big &>(b).v[1];
  std::swap(a, b);
  return s + std::any_cast<double &>(b) * std::any_cast<Big>(a).v[0];
}
ADZE_TEST_ARRAY(inTurn, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
