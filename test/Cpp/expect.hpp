// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program of this folder checks. main() returns failures().
#ifndef ADZE_TEST_CPP_EXPECT_HPP
#define ADZE_TEST_CPP_EXPECT_HPP

#include <cmath>
#include <cstdio>

inline int &failures() {
  static int count = 0;
  return count;
}
inline void near(const char *what, double got, double want,
                 double tolerance = 1e-12) {
  if (std::abs(got - want) <= tolerance * std::fmax(1, std::abs(want)))
    return;
  std::printf("%s: %.17g instead of %.17g\n", what, got, want);
  failures() = 1;
}
inline void holds(const char *what, bool condition) {
  if (condition)
    return;
  std::printf("%s does not hold\n", what);
  failures() = 1;
}
/// A number that the compiler does not know.
inline double opaque(double x) {
  volatile double y = x;
  return y;
}

#endif
