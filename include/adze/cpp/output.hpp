// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that write their results through references. What stands behind
// adze::output(y) is what such a function returns, for us.
#ifndef ADZE_CPP_OUTPUT_HPP
#define ADZE_CPP_OUTPUT_HPP

#include "adze/cpp/arguments.hpp"

#include <functional>

namespace adze {

/// An argument that the function writes to. Its value before is constant.
template <class T> struct output_argument {
  static_assert(!std::is_const_v<T>,
                "adze: in adze::output(y), y is written to");
  static_assert(!detail::is_view<T>::value && !std::is_pointer_v<T>,
                "adze: adze::output(y) is for objects: of a view or pointer "
                "pass adze::duplicated(y, dy) with an adjoint of your own");
  T &value;
};
template <class T> ADZE_INLINE output_argument<T> output(T &y) { return {y}; }

namespace detail {

template <class A> struct is_output : std::false_type {};
template <class T> struct is_output<output_argument<T>> : std::true_type {};
template <class... A>
inline constexpr bool have_outputs =
    (false || ... || is_output<bare<A>>::value);

/// The argument, if it is an output, or is none.
template <bool Output, class A> ADZE_INLINE auto only(A &a) {
  if constexpr (is_output<bare<A>>::value == Output)
    return std::tuple<A &>(a);
  else
    return std::tuple<>();
}

template <class Tuple> ADZE_INLINE auto one_or_all(Tuple &&all) {
  if constexpr (std::tuple_size_v<std::remove_reference_t<Tuple>> == 1)
    return std::get<0>(static_cast<Tuple &&>(all));
  else
    return static_cast<Tuple &&>(all);
}

/// A function that returns what F writes to those of its arguments A that are
/// outputs, and takes the others.
template <class F, class Initial, class... A> struct returning_outputs {
  F f;
  Initial initial;

  template <class... X> ADZE_INLINE auto operator()(X &&...x) const {
    // One by one: in unoptimized code the copy constructor of a tuple hides
    // what each is a copy of.
    Initial made =
        std::apply([](const auto &...y) { return Initial(y...); }, initial);
    std::tuple<X &&...> given(static_cast<X &&>(x)...);
    call(made, given, std::index_sequence_for<A...>());
    return one_or_all(std::move(made));
  }

private:
  /// How many of the first \p I arguments are outputs.
  static constexpr std::size_t outputs_before(std::size_t i) {
    std::size_t at = 0, n = 0;
    ((n += at++ < i && is_output<A>::value), ...);
    return n;
  }
  template <std::size_t I, class Made, class Given>
  ADZE_INLINE static decltype(auto) argument(Made &made, Given &given) {
    using This = std::tuple_element_t<I, std::tuple<A...>>;
    if constexpr (is_output<This>::value)
      return (std::get<outputs_before(I)>(made));
    else
      return std::get<I - outputs_before(I)>(std::move(given));
  }
  template <class Made, class Given, std::size_t... I>
  ADZE_INLINE void call(Made &made, Given &given,
                        std::index_sequence<I...>) const {
    std::invoke(f, argument<I>(made, given)...);
  }
};

/// Calls \p with on a function that returns what \p f writes, and on the
/// arguments that it takes. \p F is what is kept of the function: a reference,
/// or its own type.
template <class F, class With, class... A>
ADZE_INLINE auto with_outputs(const With &with, F &&f, A &...a) {
  auto outputs = std::tuple_cat(only<true>(a)...);
  auto initial = std::apply(
      [](auto &...y) {
        return std::tuple<bare<decltype(y.value)>...>(y.value...);
      },
      outputs);
  const returning_outputs<F, decltype(initial), bare<A>...> g{
      static_cast<F &&>(f), initial};
  return std::apply([&](auto &...x) { return with(g, x...); },
                    std::tuple_cat(only<false>(a)...));
}

/// Writes the results to the outputs.
template <class R, class... A>
ADZE_INLINE void write_outputs(const R &result, A &...a) {
  auto outputs = std::tuple_cat(only<true>(a)...);
  if constexpr (std::tuple_size_v<decltype(outputs)> == 1)
    std::get<0>(outputs).value = result;
  else
    std::apply([&](auto &...y) { std::tie(y.value...) = result; }, outputs);
}

} // namespace detail
} // namespace adze
#endif
