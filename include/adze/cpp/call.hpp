// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that markers are given. Each puts the arguments together and
// calls the user's function: as it is, or with its result in memory.
#ifndef ADZE_CPP_CALL_HPP
#define ADZE_CPP_CALL_HPP

#include "adze/cpp/arguments.hpp"

#include <functional>
#include <new>

namespace adze::detail {

template <class... T> struct types {};
template <class... Lists> struct joined {
  using type = types<>;
};
template <class... A> struct joined<types<A...>> {
  using type = types<A...>;
};
template <class... A, class... B, class... Rest>
struct joined<types<A...>, types<B...>, Rest...>
    : joined<types<A..., B...>, Rest...> {};

template <class Slot, class> struct pieces_of_slot;
template <class Slot, int... I>
struct pieces_of_slot<Slot, std::integer_sequence<int, I...>> {
  using type = types<typename Slot::template piece<I>...>;
};
template <class... Slots>
using pieces = typename joined<typename pieces_of_slot<
    Slots, std::make_integer_sequence<int, Slots::pieces>>::type...>::type;

/// What the function gets for a slot.
template <class Slot,
          class = typename pieces_of_slot<
              Slot, std::make_integer_sequence<int, Slot::pieces>>::type>
struct received;
template <class Slot, class... Piece> struct received<Slot, types<Piece...>> {
  using type = decltype(Slot::receive(std::declval<Piece>()...));
};

template <class F, class... Slots>
inline constexpr bool can_call =
    std::is_invocable_v<F &, typename received<Slots>::type...>;
template <class F, class... Slots>
using result_of = std::invoke_result_t<F &, typename received<Slots>::type...>;

/// Where the pieces of the K-th slot begin.
template <class... Slots> constexpr int first_piece(int k) {
  int at = 0, i = 0;
  ((at += i++ < k ? Slots::pieces : 0), ...);
  return at;
}

template <int At, class Slot, class Pieces, int... I>
ADZE_INLINE decltype(auto) take(Pieces &p, std::integer_sequence<int, I...>) {
  return Slot::receive(std::get<At + I>(p)...);
}
template <int At, class Slot, class Pieces, int... I>
ADZE_INLINE Slot rebuild(Pieces &p, std::integer_sequence<int, I...>) {
  return Slot::with(std::get<At + I>(p)...);
}

template <class Slots, class Index, class Pieces> struct call;
template <class... Slots, int... K, class... Piece>
struct call<types<Slots...>, std::integer_sequence<int, K...>,
            types<Piece...>> {
  template <class F>
  ADZE_INLINE static decltype(auto) invoke(F &f, std::tuple<Piece...> &p) {
    if constexpr (std::is_member_pointer_v<F>)
      return std::invoke(
          f, take<first_piece<Slots...>(K), Slots>(
                 p, std::make_integer_sequence<int, Slots::pieces>())...);
    else
        // Part of what is differentiated: a derivative that calls one of the
        // function may have to run the function before.
        [[clang::always_inline]]
      return f(take<first_piece<Slots...>(K), Slots>(
          p, std::make_integer_sequence<int, Slots::pieces>())...);
  }

  /// Returns the number that the function returns.
  template <class R, class F> static R returning(F *f, Piece... piece) {
    std::tuple<Piece...> p(piece...);
    return static_cast<R>(invoke(*f, p));
  }

  /// Makes the result in the memory at \p result.
  template <class R, class F>
  static void creating(F *f, R *result, Piece... piece) {
    std::tuple<Piece...> p(piece...);
    if constexpr (std::is_void_v<R>)
      invoke(*f, p);
    else
      new (result) R(invoke(*f, p));
  }

  /// Copies the result to an object of equal shape.
  template <class R, class F>
  static void storing(F *f, R *result, Piece... piece) {
    std::tuple<Piece...> p(piece...);
    if constexpr (has_fixed_shape<R>() && std::is_move_assignable_v<R>) {
      *result = invoke(*f, p);
    } else {
      const R value = invoke(*f, p);
      zip([](auto &to, const auto &from) { to = from; }, *result, value);
    }
  }

  /// Runs \p with on the slots.
  template <class With>
  ADZE_INLINE static decltype(auto) rebuilt(const With &with,
                                            std::tuple<Piece...> &p) {
    return with(rebuild<first_piece<Slots...>(K), Slots>(
        p, std::make_integer_sequence<int, Slots::pieces>())...);
  }
};

template <class... Slots>
using call_with =
    call<types<Slots...>, std::make_integer_sequence<int, sizeof...(Slots)>,
         pieces<Slots...>>;

/// The function itself, of the pieces of slots.
template <class F, class... Slots>
ADZE_INLINE decltype(auto) evaluate(F &f, const Slots &...slots) {
  auto pieces = std::tuple_cat(slots.all_pieces()...);
  return call_with<Slots...>::invoke(f, pieces);
}

template <class F, class... Slots> constexpr bool check_call() {
  static_assert(can_call<F, Slots...>,
                "adze: the function cannot be called with these arguments "
                "(behind tags, in this order; those that are differentiated "
                "are passed as lvalues)");
  return can_call<F, Slots...>;
}

/// What the function returns, without reference.
template <class F, class... Slots>
using value_type = bare<result_of<F, Slots...>>;

template <class T>
inline constexpr bool is_number = std::is_floating_point_v<T>;

/// The function as it is called: functions by their address.
template <class F> using callable = std::remove_reference_t<F>;

} // namespace adze::detail
#endif
