// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cstddef>
#include <utility>
template <typename T, std::size_t N> struct Polynomial {
  std::array<T, N> c;
  constexpr T operator()(T x) const {
    T value = 0;
    for (std::size_t i = N; i-- > 0;)
      value = value * x + c[i];
    return value;
  }
};
template <typename... Ts> auto sum(Ts... terms) { return (terms + ... + 0); }
template <typename F, std::size_t... I> double apply(F f, std::index_sequence<I...>) {
  return sum(f(static_cast<double>(I))...);
}
double use(double x) {
  constexpr Polynomial<double, 4> p{{1, 2, 3, 4}};
  return apply([&](double y) { return p(x + y); }, std::make_index_sequence<6>{});
}
template class std::array<long, 7>;
