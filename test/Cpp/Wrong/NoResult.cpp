// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: the function has no result: pass what it writes to as
#include <adze/adze.hpp>
struct Result {
  double y;
};
static void f(double x, Result &r) { r.y = x; }
int main() {
  Result r;
  adze::gradient(f, 2.0, adze::constant(r));
}
