// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: enzyme::autodiff: the function cannot be called with these arguments
#include <enzyme/enzyme>
static double f(double x, double y) { return x * y; }
int main() {
  enzyme::autodiff<enzyme::Reverse>(f, enzyme::Active<double>(2.0));
}
