// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse Jacobians and Hessians: of a pattern that is given or found, as many
// products as it has colours.
#ifndef ADZE_CPP_SPARSE_HPP
#define ADZE_CPP_SPARSE_HPP

#include "adze/cpp/coloring.hpp"
#include "adze/cpp/jacobian.hpp"
#include "adze/cpp/probing.hpp"

namespace adze {

/// Whether a sparse matrix is compared with one more product with random
/// numbers. A pattern that lacks entries is an error (std::runtime_error) then.
enum class verify { no, yes };

namespace detail {

/// Colours of which the products are computed at once. More cost memory, new
/// pages of which cost as much as cheap functions.
inline constexpr int sparse_width = 2;

template <class T>
void check_product(const sparse_matrix<T> &matrix, const std::vector<T> &by,
                   const std::vector<T> &product, bool transposed) {
  const sparsity &p = matrix.pattern;
  std::vector<T> sum(product.size()), size(product.size());
  for (std::size_t i = 0; i != p.rows; ++i)
    for (std::size_t e = p.start[i]; e != p.start[i + 1]; ++e) {
      const std::size_t j = p.column[e], to = transposed ? j : i;
      sum[to] += matrix.value[e] * by[transposed ? i : j];
      size[to] += std::abs(matrix.value[e]);
    }
  for (std::size_t i = 0; i != product.size(); ++i)
    if (!(std::abs(sum[i] - product[i]) <=
          (size[i] + std::abs(product[i])) * negligible<T>()))
      fail("adze: a sparse matrix of derivatives has entries that its pattern "
           "lacks");
}

/// What a matrix is multiplied with for a colour: its lines; behind the last
/// colour a random vector.
template <class T>
void choose_vector(std::vector<T> &v, const coloring &colors, std::size_t c) {
  if (c == colors.colors()) {
    pseudo_random random;
    for (T &number : v)
      number = T(random());
    return;
  }
  for (std::size_t k = 0; k != v.size(); ++k)
    v[k] = colors.color(k) == c;
}

/// A matrix from its products, several at once. \p Multiply(v, y) sets each of
/// y, which are zero and as long as the lines of the matrix are many.
template <int Width, class T, class Multiply>
sparse_matrix<T> from_products(const coloring &colors, verify check,
                               Multiply &&multiply) {
  const sparsity &p = colors.pattern();
  const bool rows = colors.is_of_rows();
  each_way<std::vector<T>, Width> seed, product;
  for (std::size_t k = 0; k != Width; ++k) {
    seed[k].resize(rows ? p.rows : p.cols);
    product[k].resize(rows ? p.cols : p.rows);
  }
  sparse_matrix<T> made{p, std::vector<T>(p.size())};
  const std::size_t count = colors.colors() + (check == verify::yes);
  for (std::size_t first = 0; first < count; first += Width) {
    for (std::size_t k = 0; k != Width; ++k)
      if (first + k < count)
        choose_vector(seed[k], colors, first + k);
      else
        set_zero(seed[k]);
    if (first != 0)
      for (std::vector<T> &each : product)
        set_zero(each);
    multiply(seed, product);
    for (std::size_t k = 0; k != Width && first + k < count; ++k)
      if (first + k < colors.colors())
        colors.take(first + k, product[k], made.value);
      else
        check_product(made, seed[k], product[k], rows);
  }
  return made;
}

template <class Object, class T>
void copy_in(Object &to, const std::vector<T> &from) {
  auto numbers = numbers_in(to);
  for (std::size_t i = 0; i != from.size(); ++i)
    numbers[i] = from[i];
}
template <class T, class Object>
void copy_out(std::vector<T> &to, Object &from) {
  auto numbers = numbers_in(from);
  for (std::size_t i = 0; i != to.size(); ++i)
    to[i] = numbers[i];
}
inline void check_size(std::size_t expected, std::size_t given) {
  if (expected != given)
    fail("adze: the pattern of a sparse matrix has another number of rows or "
         "columns than there are derivatives");
}

/// Products of the Hessian at a place with vectors of numbers.
template <int Width, class F, class X, class... Rest> class hessian_products {
  using Shadow = shadow_of<X>;
  using Vector = std::vector<number_in<Shadow>>;
  static constexpr bool are_vectors = std::is_same_v<Shadow, Vector>;
  F &f;
  second_derivative<F, X, Rest...> at;
  each_way<Shadow, Width> along, result; // unused where they are vectors anyway

public:
  hessian_products(F &f, const X &x, const Rest &...rest)
      : f(f), at(x, rest...), along(shadows(x)), result(shadows(x)) {}

  /// Sets each of \p product, which are zero.
  void operator()(each_way<Vector, Width> &v,
                  each_way<Vector, Width> &product) {
    if constexpr (are_vectors) {
      at.multiply(f, v, product);
    } else {
      for (std::size_t k = 0; k != Width; ++k) {
        copy_in(along[k], v[k]);
        set_zero(result[k]);
      }
      at.multiply(f, along, result);
      for (std::size_t k = 0; k != Width; ++k)
        copy_out(product[k], result[k]);
    }
  }

private:
  static auto shadows(const X &x) {
    return in_each<Width>([&](std::size_t) {
      return are_vectors ? Shadow() : Shadow(make_zero(x));
    });
  }
};

template <class F, class X, class... Rest>
auto sparse_hessian_of(F &f, const X &x, const coloring &colors, verify check,
                       const Rest &...rest) {
  if constexpr (check_second<F, X, Rest...>()) {
    auto shape = make_zero(x);
    check_size(numbers_in(shape).size(), colors.pattern().cols);
    check_size(numbers_in(shape).size(), colors.pattern().rows);
    hessian_products<sparse_width, F, X, Rest...> products(f, x, rest...);
    return from_products<sparse_width, number_in<shadow_of<X>>>(colors, check,
                                                                products);
  }
}

/// The products of a matrix with one vector each.
template <class T, class Multiply> auto one_by_one(Multiply &multiply) {
  return [&multiply, in = std::array<std::vector<T>, 1>(),
          out = std::array<std::vector<T>, 1>()](
             std::vector<T> &v, std::vector<T> &product) mutable {
    in[0].swap(v);
    out[0].swap(product);
    multiply(in, out);
    in[0].swap(v);
    out[0].swap(product);
  };
}

template <class F, class X, class... Rest>
auto find_hessian(F &f, const X &x, const Rest &...rest) {
  if constexpr (check_second<F, X, Rest...>()) {
    using T = number_in<shadow_of<X>>;
    auto shape = make_zero(x);
    const std::size_t n = numbers_in(shape).size();
    hessian_products<1, F, X, Rest...> products(f, x, rest...);
    return probe<T>(n, n, true, one_by_one<T>(products));
  }
}

template <int Width, class Vectors, class F, class X, class... Rest>
void jacobian_products(Vectors &v, Vectors &product, F &f, const X &x,
                       const Rest &...rest) {
  auto along = in_each<Width>([&](std::size_t k) {
    shadow_of<X> dx = make_zero(x);
    copy_in(dx, v[k]);
    return dx;
  });
  auto tangent = tangents_along<Width>(f, x, along, rest...);
  for (std::size_t k = 0; k != Width; ++k) {
    check_size(numbers_in(tangent[k]).size(), product[k].size());
    copy_out(product[k], tangent[k]);
  }
}

/// Products of the transposed matrix.
template <int Width, class Vectors, class F, class R, class X, class... Rest>
void pulled_back(Vectors &v, Vectors &product, F &f, R &result, const X &x,
                 const Rest &...rest) {
  auto dx = in_each<Width>([&](std::size_t) { return make_zero(x); });
  auto seed = in_each<Width>([&](std::size_t k) {
    R made = make_zero(result);
    copy_in(made, v[k]);
    return made;
  });
  pull_back<Width>(f, result, seed, x, dx, rest...);
  for (std::size_t k = 0; k != Width; ++k)
    copy_out(product[k], dx[k]);
}

template <class F, class X, class... Rest>
auto sparse_jacobian_of(F &f, const X &x, const coloring &colors, verify check,
                        const Rest &...rest) {
  using Slot = decltype(fixed_slot(x, std::declval<shadow_of<X> &>()));
  if constexpr (check_pure_call<F, Slot, Rest...>()) {
    constexpr int Width = sparse_width;
    using T = number_in<shadow_of<X>>;
    shadow_of<X> dx = make_zero(x);
    check_size(numbers_in(dx).size(), colors.pattern().cols);
    auto result = result_shape(f, fixed_slot(x, dx), rest...);
    check_size(numbers_in(result).size(), colors.pattern().rows);
    if (colors.is_of_rows())
      return from_products<Width, T>(colors, check, [&](auto &v, auto &y) {
        pulled_back<Width>(v, y, f, result, x, rest...);
      });
    return from_products<Width, T>(colors, check, [&](auto &v, auto &y) {
      jacobian_products<Width>(v, y, f, x, rest...);
    });
  }
}

template <class F, class X, class... Rest>
auto find_jacobian(F &f, const X &x, const Rest &...rest) {
  using Slot = decltype(fixed_slot(x, std::declval<shadow_of<X> &>()));
  if constexpr (check_pure_call<F, Slot, Rest...>()) {
    using T = number_in<shadow_of<X>>;
    shadow_of<X> dx = make_zero(x);
    auto result = result_shape(f, fixed_slot(x, dx), rest...);
    auto multiply = [&](auto &v, auto &product) {
      jacobian_products<1>(v, product, f, x, rest...);
    };
    return probe<T>(numbers_in(result).size(), numbers_in(dx).size(), false,
                    one_by_one<T>(multiply));
  }
}

} // namespace detail

/// Colours for Jacobians of a pattern: of columns or of rows, whichever costs
/// less.
inline coloring jacobian_coloring(const sparsity &pattern) {
  coloring columns = coloring::of_columns(pattern);
  if (columns.colors() <= 8)
    return columns;
  coloring rows = coloring::of_rows(pattern);
  return detail::columns_are_cheaper(rows.colors(), columns.colors()) ? columns
                                                                      : rows;
}
inline coloring hessian_coloring(const sparsity &pattern) {
  return coloring::of_symmetric(pattern);
}

/// The pattern of the Jacobian of \p f at \p x: entries that are not zero
/// there. Found by products with sets of columns, see probing.hpp and
/// docs/Cpp.md.
template <class F, class X, class... Rest>
auto jacobian_pattern(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  return find_jacobian(f, fix(value_of(x)), other_slot(rest)...).matrix.pattern;
}
/// The pattern of the Hessian of \p f at \p x, likewise.
template <class F, class X, class... Rest>
auto hessian_pattern(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  return find_hessian(f, fix(value_of(x)), other_slot(rest)...).matrix.pattern;
}

/// The Jacobian of \p f by its first argument, of which the entries may be
/// where \p colors was told. Without verify::yes entries elsewhere make wrong
/// numbers.
template <class F, class X, class... Rest>
auto sparse_jacobian(const coloring &colors, verify check, F &&f, X &&x,
                     Rest &&...rest) {
  using namespace detail;
  return sparse_jacobian_of(f, fix(value_of(x)), colors, check,
                            other_slot(rest)...);
}
template <class F, class X, class... Rest>
auto sparse_jacobian(const sparsity &pattern, verify check, F &&f, X &&x,
                     Rest &&...rest) {
  return sparse_jacobian(jacobian_coloring(pattern), check, f, x, rest...);
}
/// Finds the pattern, too.
template <class F, class X, class... Rest,
          class = std::enable_if_t<!std::is_same_v<detail::bare<F>, coloring> &&
                                   !std::is_same_v<detail::bare<F>, sparsity>>>
auto sparse_jacobian(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  auto found = find_jacobian(f, fix(value_of(x)), other_slot(rest)...);
  if (!found.exact)
    return sparse_jacobian(found.matrix.pattern, verify::yes, f, x, rest...);
  return std::move(found.matrix);
}

/// The Hessian of the number that \p f returns by its first argument, likewise.
template <class F, class X, class... Rest>
auto sparse_hessian(const coloring &colors, verify check, F &&f, X &&x,
                    Rest &&...rest) {
  using namespace detail;
  return sparse_hessian_of(f, fix(value_of(x)), colors, check,
                           other_slot(rest)...);
}
template <class F, class X, class... Rest>
auto sparse_hessian(const sparsity &pattern, verify check, F &&f, X &&x,
                    Rest &&...rest) {
  return sparse_hessian(hessian_coloring(pattern), check, f, x, rest...);
}
template <class F, class X, class... Rest,
          class = std::enable_if_t<!std::is_same_v<detail::bare<F>, coloring> &&
                                   !std::is_same_v<detail::bare<F>, sparsity>>>
auto sparse_hessian(F &&f, X &&x, Rest &&...rest) {
  using namespace detail;
  auto found = find_hessian(f, fix(value_of(x)), other_slot(rest)...);
  if (!found.exact)
    return sparse_hessian(found.matrix.pattern, verify::yes, f, x, rest...);
  return std::move(found.matrix);
}

} // namespace adze
#endif
