// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: all numbers of an argument or result of which a matrix of
// derivatives is made have one type
#include <adze/adze.hpp>
struct Mixed {
  float a;
  double b;
};
static double f(const Mixed &m) { return m.b * double(m.a); }
int main() { adze::jacobian(f, Mixed{1, 2}); }
