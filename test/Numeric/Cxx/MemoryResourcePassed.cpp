// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocator that is passed by value, of two resources.
#include "check.h"
#include <memory_resource>
#include <vector>
static __attribute__((noinline)) double
sum(const double *x, int n, std::pmr::polymorphic_allocator<double> a) {
  std::pmr::vector<double> v(x, x + n, a);
  double *p = a.allocate(n);
  for (int i = 0; i < n; ++i)
    p[i] = v[i] * v[n - 1 - i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * p[i];
  a.deallocate(p, n);
  return s;
}
extern "C" double pmr_passed(const double *x, int n) {
  std::pmr::monotonic_buffer_resource arena(64);
  return sum(x, n, &arena) + sum(x, n, {});
}
ADZE_TEST_ARRAY(pmr_passed, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
