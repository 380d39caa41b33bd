// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: a Hessian is that of a function that returns one floating-point
// number
#include <adze/adze.hpp>
static std::vector<double> f(const std::vector<double> &x) { return x; }
int main() { adze::hessian(f, std::vector<double>{1, 2}); }
