// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of derivatives: all numbers of the result by all numbers of the
// first argument.
#ifndef ADZE_CPP_JACOBIAN_HPP
#define ADZE_CPP_JACOBIAN_HPP

#include "adze/cpp/fixed.hpp"

namespace adze {

/// A dense matrix, row by row.
template <class T> class matrix {
public:
  matrix() = default;
  matrix(std::size_t rows, std::size_t cols)
      : height(rows), width(cols), elements(rows * cols) {}
  std::size_t rows() const { return height; }
  std::size_t cols() const { return width; }
  T &operator()(std::size_t i, std::size_t j) {
    return elements[i * width + j];
  }
  const T &operator()(std::size_t i, std::size_t j) const {
    return elements[i * width + j];
  }
  T *data() { return elements.data(); }
  const T *data() const { return elements.data(); }

private:
  std::size_t height = 0, width = 0;
  std::vector<T> elements;
};

/// How a Jacobian is computed: column by column, or row by row.
enum class mode { automatic, forward, reverse };

namespace detail {

template <class F, class X, class... Rest>
auto jacobian_by_columns(F &f, const X &x, const Rest &...rest) {
  shadow_of<X> dx = make_zero(x);
  auto in = numbers_in(dx);
  using T = typename decltype(in)::number;
  matrix<T> jacobian;
  for (std::size_t j = 0; j != in.size(); ++j) {
    in[j] = 1;
    auto along = forward_pass(&f, fixed_slot(x, dx), rest...).tangent;
    in[j] = 0;
    auto out = numbers_in(along);
    if (j == 0)
      jacobian = matrix<T>(out.size(), in.size());
    if (out.size() != jacobian.rows())
      shapes_differ();
    for (std::size_t i = 0; i != out.size(); ++i)
      jacobian(i, j) = out[i];
  }
  return jacobian;
}

/// Adds the transposed Jacobian times \p seed, which becomes zero, to \p dx.
template <class F, class R, class X, class DX, class... Rest>
ADZE_INLINE void pull_back(F &f, R &result, R &seed, const X &x, DX &dx,
                           const Rest &...rest) {
  using Slot = decltype(fixed_slot(x, dx));
  using Result = object_slot<R, role::no_need>;
  reverse_of<void>(reinterpret_cast<void *>(
                       &call_with<Slot, Rest...>::template storing<R, F>),
                   all_operands<Result, Slot, Rest...>(), &f,
                   Result{&result, &seed}, fixed_slot(x, dx), rest...);
}

template <class F, class R, class X, class... Rest>
auto jacobian_by_rows(F &f, R &result, const X &x, const Rest &...rest) {
  shadow_of<X> dx = make_zero(x);
  R seed = make_zero(result);
  auto in = numbers_in(dx);
  auto out = numbers_in(seed);
  matrix<typename decltype(in)::number> jacobian(out.size(), in.size());
  for (std::size_t i = 0; i != out.size(); ++i) {
    out[i] = 1;
    pull_back(f, result, seed, x, dx, rest...);
    out[i] = 0;
    for (std::size_t j = 0; j != in.size(); ++j) {
      jacobian(i, j) = in[j];
      in[j] = 0;
    }
  }
  return jacobian;
}

/// A column costs about half of a row.
inline bool columns_are_cheaper(std::size_t rows, std::size_t cols) {
  return cols <= 2 * rows;
}

template <mode How, class F, class X, class... Rest>
auto jacobian_of(F &f, const X &x, const Rest &...rest) {
  using Slot = decltype(fixed_slot(x, std::declval<shadow_of<X> &>()));
  if constexpr (check_pure_call<F, Slot, Rest...>()) {
    if constexpr (How == mode::forward) {
      return jacobian_by_columns(f, x, rest...);
    } else {
      shadow_of<X> unused{};
      auto result = result_shape(f, fixed_slot(x, unused), rest...);
      if constexpr (How == mode::automatic) {
        shadow_of<X> shape = make_zero(x);
        if (columns_are_cheaper(numbers_in(result).size(),
                                numbers_in(shape).size()))
          return jacobian_by_columns(f, x, rest...);
      }
      return jacobian_by_rows(f, result, x, rest...);
    }
  }
}

} // namespace detail

/// The derivatives of all numbers in the result of \p f by those in its first
/// argument \p x, in order. The other arguments are constant.
template <mode How = mode::automatic, class F, class X, class... Rest>
ADZE_INLINE auto jacobian(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  return jacobian_of<How>(f, fix(value_of(x)), other_slot(rest)...);
}

namespace detail {

/// The function that hvp differentiates: the gradient, into memory.
template <class Index, class Pieces, class... Slots> struct gradient_into;
template <int... K, class... Piece, class X, class... Rest>
struct gradient_into<std::integer_sequence<int, K...>, types<Piece...>, X,
                     Rest...> {
  template <class F, class G> static void run(F *f, G *g, Piece... piece) {
    std::tuple<Piece...> p(piece...);
    add_gradient(f,
                 rebuild<0, X>(p, std::make_integer_sequence<int, X::pieces>())
                     .shadowed_by(g),
                 rebuild<first_piece<X, Rest...>(K + 1), Rest>(
                     p, std::make_integer_sequence<int, Rest::pieces>())...);
  }
};

/// What is needed of a place to multiply Hessians there with vectors.
template <class F, class X, class... Rest> class second_derivative {
  using Shadow = shadow_of<X>;
  F &f;
  const X &x;
  std::tuple<Rest...> rest;
  Shadow gradient;

public:
  second_derivative(F &f, const X &x, const Rest &...rest)
      : f(f), x(x), rest(rest...), gradient(make_zero(x)) {}

  /// Adds the Hessian times \p v to \p result, which is zero.
  ADZE_INLINE void multiply(Shadow &v, Shadow &result) {
    run(v, result, std::make_integer_sequence<int, sizeof...(Rest)>());
  }

private:
  template <int... K>
  ADZE_INLINE void run(Shadow &v, Shadow &result,
                       std::integer_sequence<int, K...> index) {
    using Slot = decltype(fixed_slot(x, v));
    using G = std::remove_pointer_t<decltype(passing<const X>::address(v))>;
    using Into =
        gradient_into<decltype(index), pieces<Slot, Rest...>, Slot, Rest...>;
    using Out = pointer_slot<G, role::no_need>;
    forward_of<void>(reinterpret_cast<void *>(&Into::template run<F, G>),
                     all_operands<Out, Slot, Rest...>(), &f,
                     Out{passing<const X>::address(gradient),
                         passing<const X>::address(result)},
                     fixed_slot(x, v), std::get<K>(rest)...);
    set_zero(gradient);
  }
};

template <class F, class X, class... Rest> constexpr bool check_second() {
  using Slot = decltype(fixed_slot(std::declval<const X &>(),
                                   std::declval<shadow_of<X> &>()));
  if constexpr (check_pure_call<F, Slot, Rest...>()) {
    using R = value_type<F, Slot, Rest...>;
    static_assert(is_number<R>,
                  "adze: a Hessian is that of a function that returns one "
                  "floating-point number");
    return is_number<R>;
  }
  return false;
}

template <class F, class X, class V, class... Rest>
auto hvp_of(F &f, const X &x, const V &v, const Rest &...rest) {
  if constexpr (check_second<F, X, Rest...>()) {
    using Shadow = shadow_of<X>;
    static_assert(is_view<X>::value || std::is_same_v<V, Shadow> ||
                      (std::is_arithmetic_v<V> && std::is_arithmetic_v<X>),
                  "adze: in adze::hvp(f, x, v), v has the type of x");
    second_derivative<F, X, Rest...> at(f, x, rest...);
    Shadow along = make_zero(x), result = make_zero(x);
    zip([](auto &to, const auto &from) { to = from; }, along, v);
    at.multiply(along, result);
    return result;
  }
}

template <class F, class X, class... Rest>
auto hessian_of(F &f, const X &x, const Rest &...rest) {
  if constexpr (check_second<F, X, Rest...>()) {
    using Shadow = shadow_of<X>;
    second_derivative<F, X, Rest...> at(f, x, rest...);
    Shadow along = make_zero(x), column = make_zero(x);
    auto in = numbers_in(along), out = numbers_in(column);
    matrix<typename decltype(in)::number> hessian(in.size(), in.size());
    for (std::size_t j = 0; j != in.size(); ++j) {
      in[j] = 1;
      at.multiply(along, column);
      in[j] = 0;
      for (std::size_t i = 0; i != out.size(); ++i) {
        hessian(i, j) = out[i];
        out[i] = 0;
      }
    }
    return hessian;
  }
}

} // namespace detail

/// The Hessian of the number that \p f returns, by its first argument \p x,
/// times \p v: forward over reverse, without the matrix.
template <class F, class X, class V, class... Rest>
ADZE_INLINE auto hvp(F &&f, X &&x, V &&v, Rest &&...rest) {
  using namespace detail;
  return hvp_of(f, fix(value_of(x)), v, other_slot(rest)...);
}

/// The second derivatives of the number that \p f returns by all numbers in its
/// first argument \p x.
template <class F, class X, class... Rest>
ADZE_INLINE auto hessian(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  return hessian_of(f, fix(value_of(x)), other_slot(rest)...);
}

} // namespace adze
#endif
