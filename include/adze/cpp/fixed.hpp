// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that a function is called with several times: it sees them as
// constants. And the numbers of an object in order.
#ifndef ADZE_CPP_FIXED_HPP
#define ADZE_CPP_FIXED_HPP

#include "adze/cpp/gradient.hpp"

namespace adze::detail {

template <class T, bool View = is_view<T>::value> struct fixed_type {
  using type = const T;
};
template <class T> struct fixed_type<T, true> {
  using type = const unchanged_view<T>;
};
template <class T> using fixed = typename fixed_type<std::remove_cv_t<T>>::type;

/// \p x as the function sees it.
template <class T> ADZE_INLINE decltype(auto) fix(T &x) {
  using V = std::remove_cv_t<T>;
  if constexpr (is_view<V>::value)
    return fixed<V>(x.data(), x.size());
  else
    return static_cast<const T &>(x);
}

/// The slot of an argument with a shadow, which the function cannot change.
template <class T, class Shadow>
ADZE_INLINE auto fixed_slot(const T &x, Shadow &dx) {
  return passing<const T>::template make<role::duplicated>(
      x, passing<const T>::address(dx));
}

/// An argument that is not differentiated.
template <class T> ADZE_INLINE auto other_slot(T &x) {
  static_assert(tagged<std::remove_cv_t<T>>::is == wish::none ||
                    tagged<std::remove_cv_t<T>>::is == wish::constant,
                "adze: the derivative is by the first argument; the others are "
                "constant");
  return constant_slot(value_of(x));
}

/// The type of the numbers in a type; void if there are none or of two types.
template <class T, class... Around> struct numbers_of;
struct no_numbers;
template <class A, class B> struct common_numbers {
  using type = void;
};
template <class A> struct common_numbers<A, A> {
  using type = A;
};
template <class A> struct common_numbers<A, no_numbers> {
  using type = A;
};
template <class A> struct common_numbers<no_numbers, A> {
  using type = A;
};
template <> struct common_numbers<no_numbers, no_numbers> {
  using type = no_numbers;
};
template <class... T> struct common_of {
  using type = no_numbers;
};
template <class A, class... T> struct common_of<A, T...> {
  using type = typename common_numbers<A, typename common_of<T...>::type>::type;
};
template <class Tuple, class... Around, std::size_t... I>
auto tuple_numbers(std::index_sequence<I...>) ->
    typename common_of<typename numbers_of<bare<std::tuple_element_t<I, Tuple>>,
                                           Around...>::type...>::type *;

/// A null pointer to the type of the numbers in the elements of a tuple.
template <class Tuple, class... Around>
using tuple_numbers_pointer = decltype(tuple_numbers<Tuple, Around...>(
    std::make_index_sequence<std::tuple_size_v<Tuple>>()));

template <class T, class... Around> constexpr auto numbers_pointer() {
  constexpr category is = category_of<T>();
  if constexpr ((false || ... || std::is_same_v<T, Around>))
    return static_cast<no_numbers *>(nullptr);
  else if constexpr (is_view<T>::value)
    return static_cast<typename numbers_of<
        std::remove_cv_t<typename is_view<T>::element>>::type *>(nullptr);
  else if constexpr (is == category::number)
    return static_cast<T *>(nullptr);
  else if constexpr (!holds_floats<T>)
    return static_cast<no_numbers *>(nullptr);
  else if constexpr (is == category::complex || is == category::optional ||
                     is == category::container)
    return static_cast<
        typename numbers_of<typename T::value_type, T, Around...>::type *>(
        nullptr);
  else if constexpr (is == category::map)
    return static_cast<
        typename numbers_of<typename T::mapped_type, T, Around...>::type *>(
        nullptr);
  else if constexpr (is == category::owner)
    return static_cast<
        typename numbers_of<typename T::element_type, T, Around...>::type *>(
        nullptr);
  else if constexpr (is == category::matrix)
    return static_cast<typename numbers_of<typename T::Scalar>::type *>(
        nullptr);
  else if constexpr (is == category::array)
    return static_cast<typename numbers_of<std::remove_all_extents_t<T>, T,
                                           Around...>::type *>(nullptr);
  else if constexpr (is == category::tuple)
    return tuple_numbers_pointer<T, T, Around...>(nullptr);
  else if constexpr (is == category::variant)
    return tuple_numbers_pointer<elements_of_variant<T>, T, Around...>(nullptr);
  else if constexpr (is == category::members)
    return tuple_numbers_pointer<decltype(adze_members(std::declval<T &>())), T,
                                 Around...>(nullptr);
  else if constexpr (is == category::aggregate)
    return tuple_numbers_pointer<
        decltype(aggregate_members(std::declval<T &>())), T, Around...>(
        nullptr);
  else
    return static_cast<void *>(nullptr);
}
template <class T, class... Around> struct numbers_of {
  using type = std::remove_pointer_t<decltype(numbers_pointer<T, Around...>())>;
};

template <class T> struct number_type {
  using type = typename numbers_of<bare<T>>::type;
  static_assert(
      std::is_floating_point_v<type>,
      "adze: all numbers of an argument or result of which a matrix "
      "of derivatives is made have one type, all float or all double");
};
template <class T> using number_in = typename number_type<T>::type;

/// The numbers of an object in order. Those that lie in a row are told by their
/// first one.
template <class T> class numbers {
public:
  using number = number_in<T>;

  explicit numbers(T &x) {
    if constexpr (lies_in_row()) {
      first = x.data();
      count = x.size();
    } else if constexpr (category_of<T>() == category::number) {
      first = &x;
      count = 1;
    } else {
      zip([&](auto &one) { each.push_back(&one); }, x);
      count = each.size();
    }
  }
  std::size_t size() const { return count; }
  number &operator[](std::size_t i) const {
    if constexpr (lies_in_row() || category_of<T>() == category::number)
      return first[i];
    else
      return *each[i];
  }

private:
  static constexpr bool lies_in_row() {
    if constexpr (has_row<T>::value && category_of<T>() != category::owner)
      return std::is_same_v<bare<decltype(*std::declval<T &>().data())>,
                            number>;
    return false;
  }
  number *first = nullptr;
  std::size_t count = 0;
  std::vector<number *> each;
};

template <class T> numbers<T> numbers_in(T &x) { return numbers<T>(x); }

template <class F, class... Slots> constexpr bool check_pure_call() {
  static_assert(can_call<F, Slots...>,
                "adze: the function cannot be called with these arguments: it "
                "is called several times, so what it is given is const (it "
                "takes values or references to const)");
  if constexpr (can_call<F, Slots...>) {
    using R = value_type<F, Slots...>;
    static_assert(!std::is_void_v<R>,
                  "adze: the function has no result: let it return what is "
                  "differentiated; in adze::vjp, what it writes to may be "
                  "adze::output(y)");
    if constexpr (!std::is_void_v<R>)
      static_assert(holds_floats<R> && is_known<R>,
                    "adze: what the function returns has no derivative that "
                    "is known: let it return numbers, containers or structures "
                    "of these");
    return !std::is_void_v<R>;
  }
  return false;
}

} // namespace adze::detail
#endif
