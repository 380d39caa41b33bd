// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: an array is passed as a pointer, and nothing returns one: pass
#include <adze/adze.hpp>
static double f(const double *x) { return x[0] * x[1]; }
int main() {
  double x[2] = {1, 2};
  adze::gradient(f, x);
}
