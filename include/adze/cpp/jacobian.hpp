// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of derivatives: all numbers of the result by all numbers of the
// first argument.
#ifndef ADZE_CPP_JACOBIAN_HPP
#define ADZE_CPP_JACOBIAN_HPP

#include "adze/cpp/directions.hpp"

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

/// The numbers of each object.
template <class T, std::size_t Width>
auto numbers_in_each(std::array<T, Width> &objects) {
  return in_each<int(Width)>(
      [&](std::size_t k) { return numbers_in(objects[k]); });
}

template <int Width, class F, class X, class... Rest>
ADZE_INLINE auto jacobian_by_columns(F &f, const X &x, const Rest &...rest) {
  auto dx = in_each<Width>([&](std::size_t) { return make_zero(x); });
  const auto in = numbers_in_each(dx);
  const std::size_t cols = in[0].size();
  using T = number_in<shadow_of<X>>;
  matrix<T> jacobian;
  for (std::size_t first = 0; first < cols; first += Width) {
    const std::size_t count = std::min<std::size_t>(Width, cols - first);
    for (std::size_t k = 0; k != count; ++k)
      in[k][first + k] = 1;
    auto along = tangents_along<Width>(f, x, dx, rest...);
    for (std::size_t k = 0; k != count; ++k) {
      in[k][first + k] = 0;
      const auto out = numbers_in(along[k]);
      if (first + k == 0)
        jacobian = matrix<T>(out.size(), cols);
      if (out.size() != jacobian.rows())
        shapes_differ();
      for (std::size_t i = 0; i != out.size(); ++i)
        jacobian(i, first + k) = out[i];
    }
  }
  return jacobian;
}

template <int Width, class F, class R, class X, class... Rest>
ADZE_INLINE auto jacobian_by_rows(F &f, R &result, const X &x,
                                  const Rest &...rest) {
  auto dx = in_each<Width>([&](std::size_t) { return make_zero(x); });
  auto seed = in_each<Width>([&](std::size_t) { return make_zero(result); });
  const auto in = numbers_in_each(dx);
  const auto out = numbers_in_each(seed);
  const std::size_t rows = out[0].size();
  matrix<number_in<shadow_of<X>>> jacobian(rows, in[0].size());
  for (std::size_t first = 0; first < rows; first += Width) {
    const std::size_t count = std::min<std::size_t>(Width, rows - first);
    for (std::size_t k = 0; k != count; ++k)
      out[k][first + k] = 1;
    pull_back<Width>(f, result, seed, x, dx, rest...);
    for (std::size_t k = 0; k != count; ++k) {
      out[k][first + k] = 0;
      for (std::size_t j = 0; j != in[k].size(); ++j) {
        jacobian(first + k, j) = in[k][j];
        in[k][j] = 0;
      }
    }
  }
  return jacobian;
}

/// A column costs about half of a row.
inline bool columns_are_cheaper(std::size_t rows, std::size_t cols) {
  return cols <= 2 * rows;
}

template <mode How, int Width, class F, class X, class... Rest>
ADZE_INLINE auto jacobian_of(F &f, const X &x, const Rest &...rest) {
  using Slot = decltype(fixed_slot(x, std::declval<shadow_of<X> &>()));
  if constexpr (check_pure_call<F, Slot, Rest...>()) {
    if constexpr (How == mode::forward) {
      return jacobian_by_columns<Width>(f, x, rest...);
    } else {
      shadow_of<X> unused{};
      auto result = result_shape(f, fixed_slot(x, unused), rest...);
      if constexpr (How == mode::automatic) {
        shadow_of<X> shape = make_zero(x);
        if (columns_are_cheaper(numbers_in(result).size(),
                                numbers_in(shape).size()))
          return jacobian_by_columns<Width>(f, x, rest...);
      }
      return jacobian_by_rows<Width>(f, result, x, rest...);
    }
  }
}

} // namespace detail

/// The derivatives of all numbers in the result of \p f by those in its first
/// argument \p x, in order. The other arguments are constant. \p Width columns
/// or rows are computed at once.
template <mode How = mode::automatic, int Width = 4, class F, class X,
          class... Rest>
ADZE_INLINE auto jacobian(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  static_assert(Width >= 1 && Width <= 64,
                "adze: a Jacobian is computed in 1 to 64 directions at once");
  return jacobian_of<How, Width>(f, fix(value_of(x)), other_slot(rest)...);
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
  const X &x;
  std::tuple<Rest...> rest;
  Shadow gradient; // of which only the tangents count

public:
  second_derivative(const X &x, const Rest &...rest)
      : x(x), rest(rest...), gradient(make_zero(x)) {}

  /// Adds the Hessian times each of \p v to each of \p result, which are zero.
  template <std::size_t Width>
  ADZE_INLINE void multiply(F &f, std::array<Shadow, Width> &v,
                            std::array<Shadow, Width> &result) {
    run<int(Width)>(f, v, result,
                    std::make_integer_sequence<int, sizeof...(Rest)>());
  }

private:
  template <int Width, int... K>
  ADZE_INLINE void run(F &f, each_way<Shadow, Width> &v,
                       each_way<Shadow, Width> &result,
                       std::integer_sequence<int, K...> index) {
    using Slot = decltype(fixed_slot(x, v[0]));
    using G = std::remove_pointer_t<decltype(passing<const X>::address(v[0]))>;
    using Into =
        gradient_into<decltype(index), pieces<Slot, Rest...>, Slot, Rest...>;
    using Out = pointer_slot<G, role::no_need>;
    const auto out = make_wide<Width>([&](std::size_t k) {
      return Out{passing<const X>::address(gradient),
                 passing<const X>::address(result[k])};
    });
    const auto in =
        make_wide<Width>([&](std::size_t k) { return fixed_slot(x, v[k]); });
    wide_forward_of<void, Width>(
        reinterpret_cast<void *>(&Into::template run<F, G>),
        all_operands<bare<decltype(out)>, bare<decltype(in)>, Rest...>(), &f,
        out, in, std::get<K>(rest)...);
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
ADZE_INLINE auto hvp_of(F &f, const X &x, const V &v, const Rest &...rest) {
  if constexpr (check_second<F, X, Rest...>()) {
    using Shadow = shadow_of<X>;
    static_assert(is_view<X>::value || std::is_same_v<V, Shadow> ||
                      (std::is_arithmetic_v<V> && std::is_arithmetic_v<X>),
                  "adze: in adze::hvp(f, x, v), v has the type of x");
    second_derivative<F, X, Rest...> at(x, rest...);
    std::array<Shadow, 1> along{make_zero(x)}, result{make_zero(x)};
    zip([](auto &to, const auto &from) { to = from; }, along[0], v);
    at.multiply(f, along, result);
    return std::move(result[0]);
  }
}

template <int Width, class F, class X, class... Rest>
ADZE_INLINE auto hessian_of(F &f, const X &x, const Rest &...rest) {
  if constexpr (check_second<F, X, Rest...>()) {
    second_derivative<F, X, Rest...> at(x, rest...);
    auto along = in_each<Width>([&](std::size_t) { return make_zero(x); });
    auto column = in_each<Width>([&](std::size_t) { return make_zero(x); });
    const auto in = numbers_in_each(along), out = numbers_in_each(column);
    const std::size_t size = in[0].size();
    matrix<number_in<shadow_of<X>>> hessian(size, size);
    for (std::size_t first = 0; first < size; first += Width) {
      const std::size_t count = std::min<std::size_t>(Width, size - first);
      for (std::size_t k = 0; k != count; ++k)
        in[k][first + k] = 1;
      at.multiply(f, along, column);
      for (std::size_t k = 0; k != count; ++k) {
        in[k][first + k] = 0;
        for (std::size_t i = 0; i != size; ++i) {
          hessian(i, first + k) = out[k][i];
          out[k][i] = 0;
        }
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
/// first argument \p x, \p Width columns at once.
template <int Width = 4, class F, class X, class... Rest>
ADZE_INLINE auto hessian(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  return hessian_of<Width>(f, fix(value_of(x)), other_slot(rest)...);
}

} // namespace adze
#endif
