// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: in forward mode each argument with floating-point numbers is
#include <adze/adze.hpp>
static double f(double x, double y) { return x * y; }
int main() { adze::jvp(f, 2.0, adze::duplicated(3.0, 1.0)); }
