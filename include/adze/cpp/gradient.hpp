// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients and derivatives along a direction.
#ifndef ADZE_CPP_GRADIENT_HPP
#define ADZE_CPP_GRADIENT_HPP

#include "adze/cpp/call.hpp"
#include "adze/cpp/output.hpp"

namespace adze {

/// The result of a function, and its derivative.
template <class Value, class Gradient> struct value_and_derivative {
  Value value;
  Gradient gradient;
};
template <class Value, class Tangent> struct value_and_tangent {
  Value value;
  Tangent tangent;
};

namespace detail {

template <class R, int... I, class F, class... Slots>
ADZE_INLINE R reverse_of(void *primal, std::integer_sequence<int, I...>, F *f,
                         const Slots &...slots) {
  return __enzyme_autodiff_of<R>(primal, tag_of<role::constant>(),
                                 operand_of(f), operand<I>(slots...)...);
}
template <class R, int... I, class F, class... Slots>
ADZE_INLINE R reverse_with_value(void *primal, std::integer_sequence<int, I...>,
                                 F *f, const Slots &...slots) {
  return __enzyme_autodiff_of<R>(primal, tag_of<role::constant>(),
                                 operand_of(f), operand<I>(slots...)...,
                                 static_cast<void *>(&enzyme_primal_return));
}
template <class R, int... I, class F, class... Slots>
ADZE_INLINE R forward_of(void *primal, std::integer_sequence<int, I...>, F *f,
                         const Slots &...slots) {
  return __enzyme_fwddiff_of<R>(primal, tag_of<role::constant>(), operand_of(f),
                                operand<I>(slots...)...);
}
template <class R, int... I, class F, class... Slots>
ADZE_INLINE two_results<R> forward_with_value(void *primal,
                                              std::integer_sequence<int, I...>,
                                              F *f, const Slots &...slots) {
  return __enzyme_fwddiff_of<two_results<R>>(
      primal, tag_of<role::constant>(), operand_of(f), operand<I>(slots...)...,
      static_cast<void *>(&enzyme_primal_return));
}

/// Adds the derivatives of the number that \p f returns to the shadows.
template <class F, class... Slots>
ADZE_INLINE void add_gradient(F *f, const Slots &...slots) {
  using R = value_type<F, Slots...>;
  reverse_of<void>(
      reinterpret_cast<void *>(&call_with<Slots...>::template returning<R, F>),
      all_operands<Slots...>(), f, slots...);
}
template <class F, class... Slots>
ADZE_INLINE auto add_gradient_with_value(F *f, const Slots &...slots) {
  using R = value_type<F, Slots...>;
  return reverse_with_value<R>(
      reinterpret_cast<void *>(&call_with<Slots...>::template returning<R, F>),
      all_operands<Slots...>(), f, slots...);
}

/// \p Writes: adjoints of what the function writes are in shadows of the user,
/// so it need not return anything.
template <class F, bool Writes, class... Slots>
constexpr void check_gradient_call() {
  if constexpr (check_call<F, Slots...>()) {
    using R = value_type<F, Slots...>;
    static_assert(
        !std::is_void_v<R> || Writes,
        "adze: the function has no result: pass what it writes to as "
        "adze::output(y), or as adze::duplicated(y, dy) with its adjoint");
    static_assert(
        is_number<R> || std::is_void_v<R>,
        "adze: a gradient is that of a function that returns one "
        "floating-point number; use adze::jacobian or adze::vjp for others");
  }
}

/// The shadows that we made, of one argument as it is, of several as a tuple.
template <class... Made> ADZE_INLINE auto only_shadows(Made &...made) {
  auto one = [](auto &shadow) {
    using S = std::remove_reference_t<decltype(shadow)>;
    if constexpr (std::is_same_v<S, no_shadow>)
      return std::tuple<>();
    else
      return std::tuple<S>(std::move(shadow));
  };
  auto all = std::tuple_cat(one(made)...);
  if constexpr (std::tuple_size_v<decltype(all)> == 0)
    return;
  else if constexpr (std::tuple_size_v<decltype(all)> == 1)
    return std::move(std::get<0>(all));
  else
    return all;
}

template <class A> constexpr bool can_be_added_to() {
  if constexpr (is_duplicated_argument<A>) {
    using D = std::remove_reference_t<decltype(std::declval<A &>().shadow)>;
    return std::is_pointer_v<D> || !std::is_const_v<D>;
  }
  return true;
}

template <class... A> constexpr void check_reverse_arguments() {
  static_assert(
      (false || ... || (is_active_argument<A> || is_duplicated_argument<A>)),
      "adze: no argument is differentiated: all are integers, or "
      "adze::constant");
  static_assert((true && ... && can_be_added_to<A>()),
                "adze: in reverse mode the derivative is added to dx of "
                "adze::duplicated(x, dx), which must not be const");
}

/// Runs \p with on \p f and slots of the arguments with shadows of ours, and
/// returns what it returns, and these. What a lambda captures nobody knows in
/// unoptimized code, so \p f is passed.
template <class With, class F, class... A, std::size_t... I>
ADZE_INLINE auto with_own_shadows(const With &with, F *f,
                                  std::index_sequence<I...>, A &...a) {
  std::tuple<decltype(own_shadow(a))...> shadows{own_shadow(a)...};
  using R = decltype(with(f, slot_of(a, std::get<I>(shadows))...));
  using G = decltype(only_shadows(std::get<I>(shadows)...));
  if constexpr (std::is_void_v<R>) {
    with(f, slot_of(a, std::get<I>(shadows))...);
    return only_shadows(std::get<I>(shadows)...);
  } else {
    R value = with(f, slot_of(a, std::get<I>(shadows))...);
    if constexpr (std::is_void_v<G>)
      return value;
    else
      return value_and_derivative<R, G>{value,
                                        only_shadows(std::get<I>(shadows)...)};
  }
}

/// A functor whose state is an argument is called by this.
struct applied {
  template <class G, class... A>
  ADZE_INLINE decltype(auto) operator()(G &&g, A &&...a) const {
    return std::invoke(static_cast<G &&>(g), static_cast<A &&>(a)...);
  }
};
inline constexpr applied apply_first{};

template <class F>
inline constexpr bool is_tagged = tagged<bare<F>>::is != wish::none;

} // namespace detail

template <class F, class... A>
ADZE_INLINE auto value_and_gradient(F &&f, A &&...a);

/// The derivative of the number that \p f returns by each argument with
/// floating-point numbers: of one argument an object of its shape, of several a
/// tuple of these. Shadows given with adze::duplicated are added to. Of a
/// function that writes its result, that of the number behind adze::output(y);
/// or there are adjoints in the shadows of what it writes, which become zero.
template <class F, class... A> ADZE_INLINE auto gradient(F &&f, A &&...a) {
  using namespace detail;
  if constexpr (is_tagged<F>) {
    return gradient(apply_first, static_cast<F &&>(f), static_cast<A &&>(a)...);
  } else if constexpr (have_outputs<A...>) {
    return value_and_gradient(static_cast<F &&>(f), static_cast<A &&>(a)...)
        .gradient;
  } else {
    check_reverse_arguments<std::remove_reference_t<A>...>();
    constexpr bool writes =
        (false || ... || is_duplicated_argument<std::remove_reference_t<A>>);
    return with_own_shadows(
        [](auto *g, const auto &...slots) __attribute__((always_inline)) {
          check_gradient_call<callable<F>, writes, bare<decltype(slots)>...>();
          add_gradient(g, slots...);
        },
        &f, std::index_sequence_for<A...>(), a...);
  }
}

/// The same, and what \p f returns: {value, gradient}; only the value where all
/// shadows are the user's.
template <class F, class... A>
ADZE_INLINE auto value_and_gradient(F &&f, A &&...a) {
  using namespace detail;
  if constexpr (is_tagged<F>) {
    return value_and_gradient(apply_first, static_cast<F &&>(f),
                              static_cast<A &&>(a)...);
  } else if constexpr (have_outputs<A...>) {
    auto both = with_outputs<F &>(
        [](const auto &g, auto &...x) { return value_and_gradient(g, x...); },
        f, a...);
    write_outputs(both.value, a...);
    return both;
  } else {
    check_reverse_arguments<std::remove_reference_t<A>...>();
    return with_own_shadows(
        [](auto *g, const auto &...slots) __attribute__((always_inline)) {
          check_gradient_call<callable<F>, false, bare<decltype(slots)>...>();
          return add_gradient_with_value(g, slots...);
        },
        &f, std::index_sequence_for<A...>(), a...);
  }
}

namespace detail {

template <class... A> constexpr void check_forward_arguments() {
  static_assert((true && ... && !is_active_argument<A>),
                "adze: in forward mode each argument with floating-point "
                "numbers is adze::duplicated(x, dx), with its tangent, or "
                "adze::constant(x)");
  static_assert(
      (false || ... || is_duplicated_argument<A>),
      "adze: no argument has a tangent: pass adze::duplicated(x, dx)");
}

/// Memory for an object that the differentiated function makes.
template <class T> union uninitialized {
  T object;
  char bytes[sizeof(T)];
  uninitialized() : bytes{} {}
  ~uninitialized() {}
};

template <class R, class F, class... Slots>
ADZE_INLINE auto forward_created(F *f, const Slots &...slots) {
  uninitialized<R> value, tangent;
  object_slot<R, role::duplicated> result{&value.object, &tangent.object};
  forward_of<void>(
      reinterpret_cast<void *>(&call_with<Slots...>::template creating<R, F>),
      all_operands<object_slot<R, role::duplicated>, Slots...>(), f, result,
      slots...);
  value_and_tangent<R, R> both{std::move(value.object),
                               std::move(tangent.object)};
  value.object.~R();
  tangent.object.~R();
  return both;
}

/// The result is told what its tangent looks like before: at the price of the
/// function itself where that is not the same each time.
/// An object of the shape of what \p f returns.
template <class F, class... Slots>
ADZE_INLINE auto result_shape(F &f, const Slots &...slots) {
  using R = value_type<F, Slots...>;
  if constexpr (has_fixed_shape<R>())
    return R();
  else
    return R(evaluate(f, slots...));
}

/// The tangent has its shape before: at the price of the function itself where
/// shapes differ.
template <class R, class F, class... Slots>
ADZE_INLINE auto forward_stored(F *f, const Slots &...slots) {
  if constexpr (!has_fixed_shape<R>())
    static_assert(can_call<F, typename Slots::unchanged...>,
                  "adze: a function that returns an object whose shape is in "
                  "its integers (an optional, a map, a matrix of Eigen) does "
                  "not change its arguments: it takes values or references to "
                  "const");
  R value = result_shape(*f, slots...);
  R tangent = make_zero(value);
  object_slot<R, role::duplicated> result{&value, &tangent};
  forward_of<void>(
      reinterpret_cast<void *>(&call_with<Slots...>::template storing<R, F>),
      all_operands<object_slot<R, role::duplicated>, Slots...>(), f, result,
      slots...);
  // Integers of a shadow are nobody's.
  R shaped = make_zero(value);
  zip([](auto &to, const auto &from) { to = from; }, shaped, tangent);
  return value_and_tangent<R, R>{std::move(value), std::move(shaped)};
}

template <class F, class... Slots>
ADZE_INLINE auto forward_pass(F *f, const Slots &...slots) {
  if constexpr (check_call<F, Slots...>()) {
    using R = value_type<F, Slots...>;
    using Call = call_with<Slots...>;
    if constexpr (std::is_void_v<R>) {
      forward_of<void>(
          reinterpret_cast<void *>(&Call::template returning<R, F>),
          all_operands<Slots...>(), f, slots...);
    } else if constexpr (is_number<R>) {
      two_results<R> both = forward_with_value<R>(
          reinterpret_cast<void *>(&Call::template returning<R, F>),
          all_operands<Slots...>(), f, slots...);
      return value_and_tangent<R, R>{both.first, both.second};
    } else {
      static_assert(holds_floats<R> && is_known<R>,
                    "adze: what the function returns has no derivative that "
                    "is known: let it return numbers, containers or structures "
                    "of these, or write to an argument");
      if constexpr (pointers_tell_shape<R>() && !has_fixed_shape<R>())
        return forward_created<R>(f, slots...);
      else
        return forward_stored<R>(f, slots...);
    }
  }
}

} // namespace detail

/// Forward mode: {value, tangent}, the derivative along the tangents that are
/// given as adze::duplicated(x, dx). Of a function without result, what it
/// writes to arguments has its tangent in their shadows.
template <class F, class... A> ADZE_INLINE auto jvp(F &&f, A &&...a) {
  using namespace detail;
  if constexpr (is_tagged<F>) {
    return jvp(apply_first, static_cast<F &&>(f), static_cast<A &&>(a)...);
  } else {
    check_forward_arguments<std::remove_reference_t<A>...>();
    no_shadow none;
    return forward_pass(&f, slot_of(a, none)...);
  }
}

/// The derivative of \p f by its first argument, at \p x along \p v. Further
/// arguments are constant.
template <class F, class X, class V, class... Rest>
ADZE_INLINE auto directional(F &&f, X &&x, V &&v, Rest &&...rest) {
  return jvp(static_cast<F &&>(f), duplicated(x, v),
             constant(detail::value_of(rest))...)
      .tangent;
}

} // namespace adze
#endif
