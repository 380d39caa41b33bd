// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: adze::output(y) is for objects
#include <adze/adze.hpp>
static void f(double x, double *y) { *y = x; }
int main() {
  double y, *p = &y;
  adze::vjp(f, 2.0, adze::output(p));
}
