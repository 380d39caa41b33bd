// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: a structure with members in a base class: write a function
#include <adze/adze.hpp>
struct Base {
  double a;
};
struct Derived : Base {
  double b;
};
static double f(const Derived &d) { return d.a * d.b; }
int main() {
  Derived d;
  d.a = d.b = 2;
  adze::gradient(f, d);
}
