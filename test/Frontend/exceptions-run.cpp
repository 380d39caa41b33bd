// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A marker within try, with objects to clean up, and exceptions around it.
//
// RUN: %clangxx -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O2 %adze %s -o %t && %t | FileCheck %s
#include <cstdio>
template <typename R, typename... A> R __enzyme_autodiff(A...);

struct Noisy {
  ~Noisy() { std::puts("cleaned up"); }
};

static double square(double x) { return x * x; }

static double slope(double x) {
  try {
    Noisy n;
    double d = __enzyme_autodiff<double>(square, x);
    if (d > 10)
      throw d;
    return d;
  } catch (double d) {
    return -d;
  }
}

int main(int argc, char **) {
  std::printf("%g\n", slope(2.0 + argc));
  // CHECK: cleaned up
  // CHECK-NEXT: 6
  std::printf("%g\n", slope(20.0 + argc));
  // CHECK: cleaned up
  // CHECK-NEXT: -42
}
