// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: in adze::duplicated(x, dx), dx has the type of x
#include <adze/adze.hpp>
static double f(double x) { return x; }
int main() {
  float dx = 0;
  adze::gradient(f, adze::duplicated(2.0, dx));
}
