// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives in several directions by one run of the function: its tangents
// along several, or adjoints of several results.
#ifndef ADZE_CPP_DIRECTIONS_HPP
#define ADZE_CPP_DIRECTIONS_HPP

#include "adze/cpp/fixed.hpp"

#include <array>

namespace adze::detail {

/// A slot with a shadow in each direction, the operand 2 of its own slot there.
template <class Slot, int Width> struct wide_slot {
  static constexpr int operands = Slot::operands + Width - 1;
  std::array<Slot, std::size_t(Width)> in;

  template <int I> ADZE_INLINE auto operand() const {
    if constexpr (I < 2)
      return in[0].template operand<I>();
    else if constexpr (I < 2 + Width)
      return in[std::size_t(I - 2)].template operand<2>();
    else
      return in[0].template operand<I - Width + 1>();
  }
};

/// An object for each direction.
template <class T, int Width>
using each_way = std::array<T, std::size_t(Width)>;

/// What \p make gives, for each direction.
template <class Make, std::size_t... K>
ADZE_INLINE auto in_each(std::index_sequence<K...>, const Make &make) {
  return std::array<decltype(make(0)), sizeof...(K)>{make(K)...};
}
template <int Width, class Make> ADZE_INLINE auto in_each(const Make &make) {
  return in_each(std::make_index_sequence<std::size_t(Width)>(), make);
}
template <int Width, class Make> ADZE_INLINE auto make_wide(const Make &make) {
  using Slot = decltype(make(0));
  return wide_slot<Slot, Width>{in_each<Width>(make)};
}

template <class R, int Width, int... I, class F, class... Slots>
ADZE_INLINE R wide_forward_of(void *primal, std::integer_sequence<int, I...>,
                              F *f, const Slots &...slots) {
  return __enzyme_fwddiff_of<R>(primal, static_cast<void *>(&enzyme_width),
                                Width, tag_of<role::constant>(), operand_of(f),
                                operand<I>(slots...)...);
}
template <int Width, int... I, class F, class... Slots>
ADZE_INLINE void wide_reverse_of(void *primal, std::integer_sequence<int, I...>,
                                 F *f, const Slots &...slots) {
  __enzyme_autodiff_of<void>(primal, static_cast<void *>(&enzyme_width), Width,
                             tag_of<role::constant>(), operand_of(f),
                             operand<I>(slots...)...);
}

template <class R, int Width, class F, class X, class... Rest>
ADZE_INLINE auto tangents_created(F &f, const X &x,
                                  each_way<shadow_of<X>, Width> &dx,
                                  const Rest &...rest) {
  using Call = call_with<decltype(fixed_slot(x, dx[0])), Rest...>;
  uninitialized<R> value, tangent[Width];
  const auto result = make_wide<Width>([&](std::size_t k) {
    return object_slot<R, role::duplicated>{&value.object, &tangent[k].object};
  });
  const auto in =
      make_wide<Width>([&](std::size_t k) { return fixed_slot(x, dx[k]); });
  wide_forward_of<void, Width>(
      reinterpret_cast<void *>(&Call::template creating<R, F>),
      all_operands<bare<decltype(result)>, bare<decltype(in)>, Rest...>(), &f,
      result, in, rest...);
  auto all = in_each<Width>([&](std::size_t k) {
    R made = std::move(tangent[k].object);
    tangent[k].object.~R();
    return made;
  });
  value.object.~R();
  return all;
}

template <class R, int Width, class F, class X, class... Rest>
ADZE_INLINE auto tangents_stored(F &f, const X &x,
                                 each_way<shadow_of<X>, Width> &dx,
                                 const Rest &...rest) {
  using Call = call_with<decltype(fixed_slot(x, dx[0])), Rest...>;
  R value = result_shape(f, fixed_slot(x, dx[0]), rest...);
  auto tangent = in_each<Width>([&](std::size_t) { return make_zero(value); });
  const auto result = make_wide<Width>([&](std::size_t k) {
    return object_slot<R, role::duplicated>{&value, &tangent[k]};
  });
  const auto in =
      make_wide<Width>([&](std::size_t k) { return fixed_slot(x, dx[k]); });
  wide_forward_of<void, Width>(
      reinterpret_cast<void *>(&Call::template storing<R, F>),
      all_operands<bare<decltype(result)>, bare<decltype(in)>, Rest...>(), &f,
      result, in, rest...);
  // Integers of a shadow are nobody's.
  return in_each<Width>([&](std::size_t k) {
    R shaped = make_zero(value);
    zip([](auto &to, const auto &from) { to = from; }, shaped, tangent[k]);
    return shaped;
  });
}

/// The tangents of what \p f returns along each of \p dx.
template <int Width, class F, class X, class... Rest>
ADZE_INLINE auto tangents_along(F &f, const X &x,
                                each_way<shadow_of<X>, Width> &dx,
                                const Rest &...rest) {
  using Slot = decltype(fixed_slot(x, dx[0]));
  using R = value_type<F, Slot, Rest...>;
  if constexpr (is_number<R>) {
    using Call = call_with<Slot, Rest...>;
    const auto in =
        make_wide<Width>([&](std::size_t k) { return fixed_slot(x, dx[k]); });
    return wide_forward_of<each_way<R, Width>, Width>(
        reinterpret_cast<void *>(&Call::template returning<R, F>),
        all_operands<bare<decltype(in)>, Rest...>(), &f, in, rest...);
  } else if constexpr (pointers_tell_shape<R>() && !has_fixed_shape<R>()) {
    return tangents_created<R, Width>(f, x, dx, rest...);
  } else {
    return tangents_stored<R, Width>(f, x, dx, rest...);
  }
}

/// Adds the transposed Jacobian times each of \p seed, which become zero, to
/// each of \p dx.
template <int Width, class F, class R, class X, class... Rest>
ADZE_INLINE void pull_back(F &f, R &result, each_way<R, Width> &seed,
                           const X &x, each_way<shadow_of<X>, Width> &dx,
                           const Rest &...rest) {
  using Call = call_with<decltype(fixed_slot(x, dx[0])), Rest...>;
  const auto out = make_wide<Width>([&](std::size_t k) {
    return object_slot<R, role::no_need>{&result, &seed[k]};
  });
  const auto in =
      make_wide<Width>([&](std::size_t k) { return fixed_slot(x, dx[k]); });
  wide_reverse_of<Width>(
      reinterpret_cast<void *>(&Call::template storing<R, F>),
      all_operands<bare<decltype(out)>, bare<decltype(in)>, Rest...>(), &f, out,
      in, rest...);
}

} // namespace adze::detail
#endif
