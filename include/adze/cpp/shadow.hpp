// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows: objects of the same shape that hold derivatives.
#ifndef ADZE_CPP_SHADOW_HPP
#define ADZE_CPP_SHADOW_HPP

#include "adze/cpp/markers.hpp"
#include "adze/cpp/shape.hpp"

#include <vector>

namespace adze {
namespace detail {

template <class T, bool View = is_view<bare<T>>::value> struct shadow_type {
  using type = bare<T>;
};
template <class T> struct shadow_type<T, true> {
  using type =
      std::vector<std::remove_cv_t<typename is_view<bare<T>>::element>>;
};

} // namespace detail

/// What holds the derivatives of a T: a T, or a vector for a view.
template <class T> using shadow_of = typename detail::shadow_type<T>::type;

/// Sets all floating-point numbers of \p x to zero.
template <class T> ADZE_INLINE void set_zero(T &x) {
  detail::zip([](auto &number) { number = 0; }, x);
}

/// An object of the shape of \p x, and with its integers, in which all
/// floating-point numbers are zero.
template <class T> shadow_of<T> make_zero(const T &x);

namespace detail {

template <class T, class = void> struct is_row_of_numbers : std::false_type {};
template <class T>
struct is_row_of_numbers<
    T,
    std::enable_if_t<has_size<T>::value, std::void_t<typename T::value_type>>>
    : std::bool_constant<is_container<T>::value &&
                         std::is_constructible_v<T, std::size_t> &&
                         std::is_floating_point_v<typename T::value_type>> {};

template <class T, class = void> struct grows_at_end : std::false_type {};
template <class T>
struct grows_at_end<T, std::void_t<decltype(std::declval<T &>().push_back(
                           std::declval<typename T::value_type>()))>>
    : std::true_type {};

template <class T, std::size_t I = 0> T zero_variant(const T &like) {
  if constexpr (I + 1 == std::variant_size_v<T>)
    return T(std::in_place_index<I>, make_zero(*std::get_if<I>(&like)));
  else if (like.index() == I)
    return T(std::in_place_index<I>, make_zero(*std::get_if<I>(&like)));
  else
    return zero_variant<T, I + 1>(like);
}

template <class T> void become_zero(T &to, const T &like) {
  if constexpr (std::is_array_v<T>)
    for (std::size_t i = 0; i != std::extent_v<T>; ++i)
      become_zero(to[i], like[i]);
  else
    to = make_zero(like);
}
template <std::size_t... I, class To, class Like>
void members_become_zero(std::index_sequence<I...>, const To &to,
                         const Like &like) {
  (become_zero(std::get<I>(to), std::get<I>(like)), ...);
}

} // namespace detail

template <class T> ADZE_INLINE shadow_of<T> make_zero(const T &x) {
  using namespace detail;
  constexpr category is = category_of<T>();
  if constexpr (is_view<T>::value) {
    using E = std::remove_cv_t<typename is_view<T>::element>;
    static_assert(std::is_floating_point_v<E> || is_complex<E>::value,
                  "adze: the elements of a span or buffer that is "
                  "differentiated are floating-point or complex numbers");
    return std::vector<E>(x.size());
  } else {
    static_assert(
        is_known<T>,
        "adze: this type, or a member of it, is not known (a raw pointer, a "
        "view, a class with private members): write a function adze_members"
        "(T &) beside it that returns std::tie(...) of the members that "
        "matter, "
        "or pass adze::duplicated(x, dx) with a shadow of your own");
    if constexpr (is == category::number) {
      return T(0);
    } else if constexpr (is == category::container && holds_floats<T> &&
                         grows_at_end<T>::value && !is_copyable<T>()) {
      T made;
      for (const auto &element : x)
        made.push_back(make_zero(element));
      return made;
    } else if constexpr (is == category::map && !is_copyable<T>()) {
      T made;
      for (const auto &[key, value] : x)
        made.emplace(key, make_zero(value));
      return made;
    } else if constexpr (is == category::owner) {
      using E = std::remove_cv_t<typename T::element_type>;
      return x ? T(new E(make_zero(*x))) : T();
    } else if constexpr (is_row_of_numbers<T>::value) {
      return T(x.size());
    } else if constexpr (is_copyable<T>()) {
      T made(x);
      set_zero(made);
      return made;
    } else if constexpr (is == category::tuple) {
      T made{};
      members_become_zero(
          std::make_index_sequence<std::tuple_size_v<T>>(),
          std::apply([](auto &...m) { return std::tie(m...); }, made), x);
      return made;
    } else if constexpr (is == category::optional) {
      return x ? T(make_zero(*x)) : T();
    } else if constexpr (is == category::variant) {
      return x.valueless_by_exception() ? shapes_differ(),
             T()                        : zero_variant(x);
    } else if constexpr (is == category::aggregate) {
      T made{};
      members_become_zero(std::make_index_sequence<member_count<T>()>(),
                          aggregate_members(made), aggregate_members(x));
      return made;
    } else {
      static_assert(always_false<T>,
                    "adze: this type cannot be copied, so no shadow of it can "
                    "be made: pass adze::duplicated(x, dx)");
    }
  }
}

} // namespace adze
#endif
