// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: a raw pointer does not say how much it points to
#include <adze/adze.hpp>
static double f(const double *x, int n) { return x[n - 1]; }
int main() {
  const double x[] = {1, 2};
  const double *p = x;
  adze::gradient(f, p, 2);
}
