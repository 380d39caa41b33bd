// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: the function cannot be called with these arguments: it is
// called several times
#include <adze/adze.hpp>
static std::vector<double> f(std::vector<double> &x) { return x; }
int main() {
  std::vector<double> x{1, 2};
  adze::jacobian(f, x);
}
