// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: in reverse mode the derivative is added to dx
#include <adze/adze.hpp>
static double f(double x) { return x; }
int main() {
  const double dx = 0;
  adze::gradient(f, adze::duplicated(2.0, dx));
}
