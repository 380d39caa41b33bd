// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse mode in two steps: the function now, the way back when it is asked
// for, as often as it is asked for.
#ifndef ADZE_CPP_VJP_HPP
#define ADZE_CPP_VJP_HPP

#include "adze/cpp/fixed.hpp"

namespace adze {
namespace detail {

/// What a pullback keeps of an argument. Views stay views: the memory behind
/// them is the user's.
template <class T, wish Is> struct kept_argument;
template <class T> struct kept_argument<T, wish::active> {
  using V = std::remove_const_t<fixed<T>>;
  static_assert(is_view<V>::value || is_copyable<V>(),
                "adze: a pullback keeps copies of its arguments, and this one "
                "cannot be copied");
  V value;
  shadow_of<V> shadow;
  template <class A>
  explicit kept_argument(A &a) : value(fix(a)), shadow(make_zero(value)) {}
  ADZE_INLINE auto slot() {
    return fixed_slot(static_cast<const V &>(value), shadow);
  }
  ADZE_INLINE auto take() { return std::tuple<shadow_of<V>>(shadow); }
};
template <class T> struct kept_argument<T, wish::constant> {
  std::remove_cv_t<T> value;
  template <class A> explicit kept_argument(A &a) : value(a) {}
  ADZE_INLINE auto slot() { return constant_slot(std::as_const(value)); }
  ADZE_INLINE auto take() { return std::tuple<>(); }
};

template <class A> using kept = kept_argument<untagged<A>, meaning_of<A>()>;

} // namespace detail

/// The transposed Jacobian at one place, to be multiplied with vectors. Owns
/// the tape, copies of the arguments and of the function. Can be moved.
template <class F, class... A> class pullback {
  template <class K> using slot_type = decltype(std::declval<K &>().slot());

public:
  using result = detail::value_type<F, slot_type<detail::kept<A>>...>;

  /// Runs \p f and keeps what the way back reads.
  pullback(const F &f, A &...a) : state(new record(f, a...)) {
    state->run(index());
  }
  pullback(pullback &&) = default;
  pullback &operator=(pullback &&other) {
    finish();
    state = std::move(other.state);
    return *this;
  }
  ~pullback() { finish(); }

  const result &value() const { return state->value; }

  /// The transposed Jacobian times \p seed: of one argument an object of its
  /// shape, of several a tuple.
  auto operator()(const result &seed) & {
    return state->go_back(index(), seed, std::true_type());
  }
  /// The same, for the last time: a pullback that is moved from is empty.
  auto operator()(const result &seed) && {
    auto all = state->go_back(index(), seed, std::false_type());
    state.reset();
    return all;
  }

private:
  using index = std::make_index_sequence<sizeof...(A)>;

  struct record {
    F f;
    std::tuple<detail::kept<A>...> arguments;
    result value, seed;
    void *tape = nullptr;

    record(const F &f, A &...a)
        : f(f), arguments(detail::kept<A>(detail::value_of(a))...),
          value(shape(index())), seed(make_zero(value)) {}

    template <std::size_t... I> result shape(std::index_sequence<I...>) {
      return detail::result_shape(f, std::get<I>(arguments).slot()...);
    }

    using Result = detail::object_slot<result, detail::role::duplicated>;

    template <std::size_t... I>
    ADZE_INLINE void run(std::index_sequence<I...>) {
      tape =
          augment(detail::all_operands<Result, slot_type<detail::kept<A>>...>(),
                  std::get<I>(arguments).slot()...);
    }
    template <int... I, class... Slots>
    ADZE_INLINE void *augment(std::integer_sequence<int, I...>,
                              const Slots &...slots) {
      const Result to{&value, &seed};
      return detail::__enzyme_augmentfwd_of<void *>(
          reinterpret_cast<void *>(
              &detail::call_with<Slots...>::template storing<result, F>),
          detail::tag_of<detail::role::constant>(), detail::operand_of(&f),
          detail::operand<I>(to, slots...)...);
    }

    template <std::size_t... I, class Again>
    ADZE_INLINE auto go_back(std::index_sequence<I...>, const result &with,
                             Again again) {
      detail::zip([](auto &to, const auto &from) { to = from; }, seed, with);
      reverse(detail::all_operands<Result, slot_type<detail::kept<A>>...>(),
              again, std::get<I>(arguments).slot()...);
      auto all = std::tuple_cat(std::get<I>(arguments).take()...);
      (clear(std::get<I>(arguments)), ...);
      return detail::one_or_all(std::move(all));
    }
    template <class T>
    static void clear(detail::kept_argument<T, detail::wish::active> &a) {
      set_zero(a.shadow);
    }
    template <class T>
    static void clear(detail::kept_argument<T, detail::wish::constant> &) {}

    template <int... I, class Again, class... Slots>
    ADZE_INLINE void reverse(std::integer_sequence<int, I...>, Again,
                             const Slots &...slots) {
      const Result to{&value, &seed};
      void *const from = tape;
      if constexpr (Again::value)
        detail::__enzyme_reverse_of<void>(
            reinterpret_cast<void *>(
                &detail::call_with<Slots...>::template storing<result, F>),
            static_cast<void *>(&enzyme_nofree),
            detail::tag_of<detail::role::constant>(), detail::operand_of(&f),
            detail::operand<I>(to, slots...)..., from);
      else {
        tape = nullptr;
        detail::__enzyme_reverse_of<void>(
            reinterpret_cast<void *>(
                &detail::call_with<Slots...>::template storing<result, F>),
            detail::tag_of<detail::role::constant>(), detail::operand_of(&f),
            detail::operand<I>(to, slots...)..., from);
      }
    }
  };

  /// Only the way back knows what the tape owns: it runs once more.
  void finish() {
    if (state && state->tape)
      state->go_back(index(), make_zero(state->value), std::false_type());
    state.reset();
  }

  std::unique_ptr<record> state;
};

namespace detail {

template <class F, class... A> struct value_and_pullback {
  typename adze::pullback<F, A...>::result value;
  adze::pullback<F, A...> pullback;
};

template <class F, class... Slots> constexpr bool check_vjp(types<Slots...>) {
  return check_pure_call<F, Slots...>();
}

} // namespace detail

/// Runs \p f now, and the way back later: {value, pullback}. The pullback takes
/// an adjoint of the result, and returns those of the arguments with
/// floating-point numbers. Of a function that writes its results, value and
/// adjoint are those of adze::output(y), of several outputs tuples.
template <class F, class... A> auto vjp(F &&f, A &&...a) {
  using namespace detail;
  if constexpr (is_tagged<F>) {
    return vjp(apply_first, static_cast<F &&>(f), static_cast<A &&>(a)...);
  } else if constexpr (have_outputs<A...>) {
    auto both = with_outputs<std::decay_t<F>>(
        [](const auto &g, auto &...x) { return vjp(g, x...); },
        std::decay_t<F>(f), a...);
    write_outputs(both.value, a...);
    return both;
  } else {
    check_reverse_arguments<std::remove_reference_t<A>...>();
    static_assert(
        (true && ... && !is_duplicated_argument<std::remove_reference_t<A>>),
        "adze: a pullback makes the shadows itself: pass x, not "
        "adze::duplicated(x, dx)");
    if constexpr (check_vjp<std::decay_t<F>>(
                      types<decltype(std::declval<
                                         kept<std::remove_reference_t<A>> &>()
                                         .slot())...>())) {
      pullback<std::decay_t<F>, std::remove_reference_t<A>...> back(f, a...);
      auto value = back.value();
      return value_and_pullback<std::decay_t<F>, std::remove_reference_t<A>...>{
          std::move(value), std::move(back)};
    }
  }
}

} // namespace adze
#endif
