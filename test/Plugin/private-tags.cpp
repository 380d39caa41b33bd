// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags that the optimizer could fold to 0, given to a marker that is no
// variadic function. And helpers that are told what to differentiate.
//
// RUN: %clangxx -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O2 %adze %s -o %t && %t | FileCheck %s
//
// CHECK: 15 10, 12 5
#include <cstdio>

namespace tags {
static int enzyme_dup, enzyme_const;
}
template <class R, class... A> R __enzyme_autodiff(void *, A...);

static double weighted(const double *x, double w) { return w * x[0] * x[1]; }

static double slope(double (*f)(double), double x) {
  return __enzyme_autodiff<double>(reinterpret_cast<void *>(f), x);
}

int main(int argc, char **argv) {
  double x[2] = {1.0 + argc, 3}, dx[2] = {0, 0};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(weighted), tags::enzyme_dup,
                          x, dx, tags::enzyme_const, 5.0);
  std::printf("%g %g, %g %g\n", dx[0], dx[1],
              slope([](double y) { return y * y * y; }, 2),
              slope([](double y) { return 5 * y; }, 2));
}
