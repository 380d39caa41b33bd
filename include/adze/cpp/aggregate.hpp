// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of structures that have no code of their own, which the compiler
// tells: how many there are, and references to them.
#ifndef ADZE_CPP_AGGREGATE_HPP
#define ADZE_CPP_AGGREGATE_HPP

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace adze::detail {

template <class T> inline constexpr bool always_false = false;

// Base classes come first among what an aggregate is initialized with. What
// becomes a base class of T, and nothing else, tells how many there are.
template <class T, bool Empty> struct any_base {
  template <class U, class = std::enable_if_t<std::is_base_of_v<U, T> &&
                                              !std::is_same_v<U, T> &&
                                              (!Empty || std::is_empty_v<U>)>>
  operator U() const;
};
template <class T, bool Empty, class Index, class = void>
struct begins_with_bases : std::false_type {};
template <class T, bool Empty, std::size_t... I>
struct begins_with_bases<
    T, Empty, std::index_sequence<I...>,
    std::void_t<decltype(T{(void(I), any_base<T, Empty>{})...})>>
    : std::true_type {};
template <class T, bool Empty, std::size_t N = 0>
constexpr std::size_t base_count() {
  if constexpr (begins_with_bases<T, Empty,
                                  std::make_index_sequence<N + 1>>::value)
    return base_count<T, Empty, N + 1>();
  else
    return N;
}

/// Up to so many members are told apart.
inline constexpr int max_members = 24;

// How many times `{}` an aggregate of N members can be given.
// clang-format off
#define ADZE_EACH_COUNT(X)                                                     \
  X(1, {}) X(2, {}, {}) X(3, {}, {}, {}) X(4, {}, {}, {}, {})                  \
  X(5, {}, {}, {}, {}, {})                                                     \
  X(6, {}, {}, {}, {}, {}, {})                                                 \
  X(7, {}, {}, {}, {}, {}, {}, {})                                             \
  X(8, {}, {}, {}, {}, {}, {}, {}, {})                                         \
  X(9, {}, {}, {}, {}, {}, {}, {}, {}, {})                                     \
  X(10, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                                \
  X(11, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                            \
  X(12, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                        \
  X(13, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                    \
  X(14, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                \
  X(15, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})            \
  X(16, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})        \
  X(17, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})    \
  X(18, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {})                                                                        \
  X(19, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {})                                                                    \
  X(20, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {}, {})                                                                \
  X(21, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {}, {}, {})                                                            \
  X(22, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {}, {}, {}, {})                                                        \
  X(23, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {}, {}, {}, {}, {})                                                    \
  X(24, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {}, {}, {}, {}, {}, {})                                                \
  X(25, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},    \
    {}, {}, {}, {}, {}, {}, {}, {})
// clang-format on
template <int N> struct count_tag {};
template <class T> std::false_type takes(...);
#define ADZE_TAKES(N, ...)                                                     \
  template <class T>                                                           \
  auto takes(count_tag<N>)->decltype(T{__VA_ARGS__}, std::true_type());
ADZE_EACH_COUNT(ADZE_TAKES)
#undef ADZE_TAKES
#undef ADZE_EACH_COUNT

template <class T, int N = max_members + 1> constexpr int element_count() {
  if constexpr (N == 0)
    return 0;
  else if constexpr (decltype(takes<T>(count_tag<N>()))::value)
    return N;
  else
    return element_count<T, N - 1>();
}

/// Members of base classes are none of the compiler's business.
template <class T> constexpr int member_count() {
  constexpr std::size_t bases = base_count<T, false>();
  static_assert(bases == base_count<T, true>(),
                "adze: a structure with members in a base class: write a "
                "function adze_members(T &) beside it that returns "
                "std::tie(...) of the members that matter, also of those of "
                "the base class");
  return element_count<T>() - int(bases);
}

/// References to the members of an aggregate.
template <class T> constexpr auto aggregate_members(T &x) {
  constexpr int n = member_count<std::remove_cv_t<T>>();
  if constexpr (n == 0 || base_count<std::remove_cv_t<T>, false>() !=
                              base_count<std::remove_cv_t<T>, true>()) {
    return std::tie();
#define ADZE_MEMBERS(N, ...)                                                   \
  }                                                                            \
  else if constexpr (n == N) {                                                 \
    auto &[__VA_ARGS__] = x;                                                   \
    return std::tie(__VA_ARGS__);
    // clang-format off
    ADZE_MEMBERS(1, a)
    ADZE_MEMBERS(2, a, b)
    ADZE_MEMBERS(3, a, b, c)
    ADZE_MEMBERS(4, a, b, c, d)
    ADZE_MEMBERS(5, a, b, c, d, e)
    ADZE_MEMBERS(6, a, b, c, d, e, f)
    ADZE_MEMBERS(7, a, b, c, d, e, f, g)
    ADZE_MEMBERS(8, a, b, c, d, e, f, g, h)
    ADZE_MEMBERS(9, a, b, c, d, e, f, g, h, i)
    ADZE_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
    ADZE_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
    ADZE_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
    ADZE_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
    ADZE_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, o)
    ADZE_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p)
    ADZE_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q)
    ADZE_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r)
    ADZE_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s)
    ADZE_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t)
    ADZE_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t,
                 u)
    ADZE_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t,
                 u, v)
    ADZE_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t,
                 u, v, w)
    ADZE_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t,
                 u, v, w, y)
    ADZE_MEMBERS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t,
                 u, v, w, y, z)
    // clang-format on
#undef ADZE_MEMBERS
  } else {
    static_assert(always_false<T>,
                  "adze: a structure of more than 24 members: write a function "
                  "adze_members(T &) beside it that returns std::tie(...) of "
                  "those that matter");
  }
}

} // namespace adze::detail
#endif
