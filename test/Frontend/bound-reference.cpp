// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is passed by reference, and returned: the copy that knows it
// is passed nothing, and may not take that for what the reference was.
// RUN: %clangxx -O0 %adze -I%include %s -o %t0 && %t0 | FileCheck %s
// RUN: %clangxx -O2 %adze -I%include %s -o %t2 && %t2 | FileCheck %s
#include "adze/adze.h"
#include <cstdio>
template <class R, class... A> R __enzyme_autodiff(void *, A...);

static double square(double x) { return x * x; }
static bool given(double (&f)(double)) { return &f == &square; }
static double call(double (&f)(double), double x) {
  return given(f) ? f(x) : 7 * x;
}

int main() {
  // CHECK: 6
  std::printf("%g\n", __enzyme_autodiff<double>((void *)call, enzyme_const,
                                                (void *)square, 3.0));
}
