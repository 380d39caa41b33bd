// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the entries of a matrix of which only products with vectors are known.
//
// The columns are put into a few buckets. The products with a bucket's columns,
// weighted by 1, by the number of the column, and by a random number of its
// own, are a, b and c. Where row i has a single unknown entry in the bucket, it
// is in column b / a, and c / a is that column's random number. What is found
// is subtracted from later products, so that others become single. At the end a
// product with random numbers must be that of the entries found, in every row:
// else the search goes on, at last with each column alone. Matrices with few
// diagonals are found before, by fewer products (diagonals.hpp).
#ifndef ADZE_CPP_PROBING_HPP
#define ADZE_CPP_PROBING_HPP

#include "adze/cpp/diagonals.hpp"

#include <stdexcept>

namespace adze::detail {

[[noreturn]] inline void fail(const char *why) {
#ifdef __cpp_exceptions
  throw std::runtime_error(why);
#else
  (void)why;
  __builtin_trap();
#endif
}

/// Products that a search may take. Matrices with fewer columns are found in
/// any case.
inline constexpr std::size_t max_products = 3000;

/// What numbers may differ by that are computed in the same way.
template <class T> T equal() {
  return std::pow(std::numeric_limits<T>::epsilon(), T(0.45));
}

/// A matrix that was found. Its values are elements of products with single
/// columns if \p exact is set; else they are differences.
template <class T> struct found_matrix {
  sparse_matrix<T> matrix;
  bool exact;
};

/// \p Multiply(v, y) sets y, which is zero, to the product of the matrix with
/// v.
template <class T, class Multiply> class prober {
  using vector = std::vector<T>;

public:
  prober(std::size_t rows, std::size_t cols, bool symmetric, Multiply &multiply)
      : rows(rows), cols(cols), symmetric(symmetric), multiply(multiply),
        found(rows), input(cols), weights(cols), marks(cols) {
    pseudo_random random;
    for (std::size_t j = 0; j != cols; ++j) {
      weights[j] = T(j + 1) / T(cols);
      marks[j] = T(random());
    }
  }

  found_matrix<T> run() {
    // Neighbours are mostly near each other in number; then any others.
    std::size_t spent = 0;
    for (std::size_t buckets = 4;
         3 * buckets < cols && spent < std::min(cols, max_products);
         buckets *= 2)
      for (bool scattered : {false, true}) {
        spent += 3 * buckets;
        search(buckets, scattered);
        if (is_complete())
          return {result(), false};
      }
    if (cols > max_products)
      fail("adze: the pattern of a matrix was not found by 3000 products; "
           "give the pattern");
    for (auto &row : found)
      row.clear();
    for (std::size_t j = 0; j != cols; ++j) {
      input[j] = 1;
      product.assign(rows, T(0));
      multiply(input, product);
      input[j] = 0;
      for (std::size_t i = 0; i != rows; ++i)
        if (product[i] != T(0))
          found[i].push_back({std::uint32_t(j), product[i]});
    }
    found_matrix<T> made{result(), true};
    made.exact =
        !symmetric || made.matrix.pattern == made.matrix.pattern.transposed();
    return made;
  }

private:
  struct entry {
    std::uint32_t column;
    T value;
  };

  std::size_t bucket_of(std::size_t j, std::size_t buckets,
                        bool scattered) const {
    if (!scattered)
      return j % buckets;
    std::uint64_t h = (j + 1) * 0x9E3779B97F4A7C15u + buckets;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    return std::size_t((h ^ (h >> 27)) >> 20) % buckets;
  }

  void search(std::size_t buckets, bool scattered) {
    vector sums[3];
    for (std::size_t b = 0; b != buckets; ++b) {
      for (int which = 0; which != 3; ++which) {
        for (std::size_t j = 0; j != cols; ++j)
          input[j] = bucket_of(j, buckets, scattered) != b ? T(0)
                     : which == 0                          ? T(1)
                     : which == 1                          ? weights[j]
                                                           : marks[j];
        sums[which].assign(rows, T(0));
        multiply(input, sums[which]);
      }
      for (std::size_t i = 0; i != rows; ++i)
        decode(i, sums[0][i], sums[1][i], sums[2][i], [&](std::size_t j) {
          return bucket_of(j, buckets, scattered) == b;
        });
    }
    std::fill(input.begin(), input.end(), T(0));
  }

  template <class InBucket>
  void decode(std::size_t i, T a, T b, T c, const InBucket &in_bucket) {
    T size = std::abs(a);
    for (const entry &e : found[i])
      if (in_bucket(e.column)) {
        a -= e.value;
        b -= e.value * weights[e.column];
        c -= e.value * marks[e.column];
        size = std::max(size, std::abs(e.value));
      }
    // What is left of a difference of equal numbers.
    const T noise = size * T(64) * std::numeric_limits<T>::epsilon();
    if (!(std::abs(a) > noise))
      return;
    const T place = b / a * T(cols) - 1;
    const T nearest = std::round(place);
    if (!(nearest >= 0) || !(nearest < T(cols)) ||
        !(std::abs(place - nearest) < T(0.05)))
      return;
    const auto j = std::size_t(nearest);
    if (!in_bucket(j) || knows(i, j) ||
        !(std::abs(c - a * marks[j]) <= std::abs(a) * equal<T>()))
      return;
    found[i].push_back({std::uint32_t(j), a});
    if (symmetric && i != j && !knows(j, i))
      found[j].push_back({std::uint32_t(i), a});
  }

  bool knows(std::size_t i, std::size_t j) const {
    return std::any_of(found[i].begin(), found[i].end(),
                       [&](const entry &e) { return e.column == j; });
  }

  bool is_complete() {
    pseudo_random random;
    for (T &number : input)
      number = T(random());
    product.assign(rows, T(0));
    multiply(input, product);
    bool complete = true;
    for (std::size_t i = 0; i != rows && complete; ++i) {
      T sum = 0, size = std::abs(product[i]);
      for (const entry &e : found[i]) {
        sum += e.value * input[e.column];
        size += std::abs(e.value);
      }
      complete = std::abs(sum - product[i]) <= size * negligible<T>();
    }
    std::fill(input.begin(), input.end(), T(0));
    return complete;
  }

  sparse_matrix<T> result() {
    sparse_matrix<T> made;
    sparsity &p = made.pattern;
    p.rows = rows;
    p.cols = cols;
    p.start.assign(1, 0);
    for (auto &row : found) {
      std::sort(row.begin(), row.end(), [](const entry &a, const entry &b) {
        return a.column < b.column;
      });
      for (const entry &e : row) {
        p.column.push_back(e.column);
        made.value.push_back(e.value);
      }
      p.start.push_back(p.column.size());
    }
    return made;
  }

  const std::size_t rows, cols;
  const bool symmetric;
  Multiply &multiply;
  std::vector<std::vector<entry>> found;
  vector input, weights, marks, product;
};

template <class T, class Multiply>
found_matrix<T> probe(std::size_t rows, std::size_t cols, bool symmetric,
                      Multiply &&multiply) {
  using Products = std::remove_reference_t<Multiply>;
  diagonals<T, Products> few(rows, cols, symmetric, multiply);
  if (auto matrix = few.find())
    return {std::move(*matrix), true};
  return prober<T, Products>(rows, cols, symmetric, multiply).run();
}

} // namespace adze::detail
#endif
