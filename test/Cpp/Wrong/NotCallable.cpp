// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: the function cannot be called with these arguments
#include <adze/adze.hpp>
static double f(double x, int n) { return x * n; }
int main() { adze::gradient(f, 2.0); }
