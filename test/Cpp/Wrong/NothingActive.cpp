// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: no argument is differentiated
#include <adze/adze.hpp>
static double f(double x, int n) { return x * n; }
int main() { adze::gradient(f, adze::constant(2.0), 3); }
