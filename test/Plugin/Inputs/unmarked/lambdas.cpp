// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <functional>
#include <memory>
#include <string_view>
std::function<double(double)> adder(double by) {
  return [by](double x) { return x + by; };
}
double composed(double x) {
  auto twice = [f = adder(x)](auto y) mutable { return f(f(y)); };
  return twice(1.0) + [](auto... all) { return sizeof...(all) + 0.0; }(x, 2, 'c');
}
std::unique_ptr<int, void (*)(int *)> owned(int x) {
  return {new int(x), [](int *p) { delete p; }};
}
constexpr std::string_view name = "view";
char letter(unsigned i) { return name[i % name.size()]; }
