// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory resource of std::pmr that is made outside of the differentiated function: that of the heap serves, and with
// another one the program stops.
// RUN: %clangxx -O0 -std=c++17 %adze %s -o %t && %t | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=DEFAULT %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=UPSTREAM %s
// RUN: %clangxx -O2 -std=c++17 %adze %s -o %t && %t | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=DEFAULT %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=UPSTREAM %s
#include <cstdio>
#include <memory_resource>
#include <vector>
extern int enzyme_dup, enzyme_const;
template <typename R, typename... A> R __enzyme_autodiff(void *, A...);

double sum(const double *x, int n, std::pmr::memory_resource *r, int what) {
  std::pmr::monotonic_buffer_resource own;
  if (what == 2)
    r = std::pmr::get_default_resource();
  if (what == 3)
    r = own.upstream_resource();
  std::pmr::vector<double> v(x, x + n, r);
  for (double &d : v)
    d *= d;
  double s = 0;
  for (double d : v)
    s += d;
  return s;
}

int main(int argc, char **argv) {
  double x[3] = {1, 2, 3}, g[3] = {};
  std::pmr::monotonic_buffer_resource arena;
  std::pmr::memory_resource *r = std::pmr::new_delete_resource();
  int what = argc > 1 ? argv[1][0] - '0' : 0;
  if (what == 1)
    r = &arena;
  if (what == 2)
    std::pmr::set_default_resource(&arena);
  __enzyme_autodiff<void>((void *)sum, enzyme_dup, x, g, enzyme_const, 3, enzyme_const, r, what);
  // CHECK: 2 4 6
  printf("%g %g %g\n", g[0], g[1], g[2]);
  // OUTSIDE: a memory resource (std::pmr) that was made outside of the function that is differentiated
  // DEFAULT: the default memory resource of a derivative has to be std::pmr::new_delete_resource()
  // UPSTREAM: a derivative does not know the resource behind another one
}
