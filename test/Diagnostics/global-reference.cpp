// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global object that the program made, and that differentiated code knows by
// a reference in an object of its own, beside one to active data: what lies
// behind the pointer in it has no shadow, and the run ends with a message, not
// with an access of address 0.
//
// RUN: %clangxx -O0 -g %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// RUN: not --crash %t forward 2>&1 | FileCheck %s
// RUN: %clangxx -O0 -g %adze %s -o %t -DALONE && %t | FileCheck --check-prefix=ALONE %s
// RUN: %clangxx -O2 -g %adze %s -o %t -DALONE && %t | FileCheck --check-prefix=ALONE %s
#include <cstdio>
template <class... Args> double __enzyme_autodiff(void *, Args...);
template <class... Args> double __enzyme_fwddiff(void *, Args...);

struct values {
  double *at;
  int size;
};
struct pairs {
  const values &left, &right;
};

static values weights;
static double numbers[] = {2, 3, 5};

static double times(const double &a, const double &b) { return a * b; }

static double sum(const pairs &p) {
  double s = 0;
  for (int i = 0; i < p.left.size; ++i)
    // CHECK: adze: {{.*}}global-reference.cpp:[[#@LINE+1]]:{{[0-9]+}}: a pointer in 'weights' was set outside of the derivative, where the memory behind it got no shadow
    s += times(p.left.at[i], p.right.at[i]);
  return s;
}

static double weighted(double *x, int n) {
  values own{x, n};
#ifdef ALONE // with a reference to the active data only
  values copy{x, weights.size};
  return sum(pairs{copy, own});
#else
  return sum(pairs{weights, own});
#endif
}

// ALONE: 2 4 6
int main(int argc, char **) {
  weights = {numbers, 3};
  double x[] = {1, 2, 3}, dx[] = {0, 0, 0}, ones[] = {1, 1, 1};
  if (argc > 1)
    std::printf("%g\n", __enzyme_fwddiff((void *)weighted, x, ones, 3));
  __enzyme_autodiff((void *)weighted, x, dx, 3);
  std::printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}
