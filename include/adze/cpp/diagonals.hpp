// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a matrix whose entries lie on few diagonals, of which only products
// with vectors are known.
//
// Let the diagonals be at distances d, which differ modulo m. Then a row has at
// most one entry in a column j with j % m = b, for each b, and the product with
// all these columns is that entry: m products are the matrix. That there are no
// entries elsewhere is told by one more product, with random numbers.
// (Curtis, Powell and Reid, 1974, for bands.) The diagonals are guessed: first
// the main one and its neighbours, then those that a few columns have, which
// are the same for all columns in chains, bands, and grids of any dimension.
#ifndef ADZE_CPP_DIAGONALS_HPP
#define ADZE_CPP_DIAGONALS_HPP

#include "adze/cpp/check.hpp"
#include "adze/cpp/sparsity.hpp"

#include <optional>

namespace adze::detail {

/// What products with other vectors may differ by, relative to what they are
/// made of: their terms may cancel. Smaller entries are taken for zero.
template <class T> T negligible() {
  return std::pow(std::numeric_limits<T>::epsilon(), T(0.6));
}

/// \p Multiply(v, y) sets y to the product of the matrix with v.
template <class T, class Multiply> class diagonals {
  using vector = std::vector<T>;
  using distance = std::ptrdiff_t;

public:
  diagonals(std::size_t rows, std::size_t cols, bool symmetric,
            Multiply &multiply)
      : rows(rows), cols(cols), symmetric(symmetric), multiply(multiply),
        input(cols) {}

  /// The matrix, if it is as guessed.
  std::optional<sparse_matrix<T>> find() {
    distances = {-1, 0, 1};
    if (auto matrix = from_products())
      return matrix;
    if (cols < 8 || !take_distances_of_columns())
      return std::nullopt;
    return from_products();
  }

private:
  static constexpr std::size_t most_diagonals = 32, most_products = 64;

  /// The column at the distance zero from a row.
  distance middle(std::size_t i) const {
    return distance(rows == cols ? i : i * cols / rows);
  }

  bool take_distances_of_columns() {
    std::vector<distance> seen;
    vector product(rows);
    for (const std::size_t j : {cols / 2, cols / 3 + 1, cols - cols / 4}) {
      input[j] = 1;
      multiply(input, product);
      input[j] = 0;
      for (std::size_t i = 0; i != rows; ++i) {
        if (product[i] == T(0))
          continue;
        const distance d = distance(j) - middle(i);
        for (const distance each : {d, symmetric ? -d : d})
          if (std::find(seen.begin(), seen.end(), each) == seen.end())
            seen.push_back(each);
        if (seen.size() > most_diagonals)
          return false;
      }
    }
    std::sort(seen.begin(), seen.end());
    const bool differ = seen != distances;
    distances = seen;
    return differ;
  }

  static std::size_t residue(distance d, std::size_t of) {
    const distance r = d % distance(of);
    return std::size_t(r < 0 ? r + distance(of) : r);
  }

  /// The smallest number modulo which the distances differ.
  std::size_t find_modulus() const {
    for (std::size_t m = distances.size(); m <= most_products; ++m) {
      std::vector<bool> used(m);
      bool differ = true;
      for (const distance d : distances) {
        differ = differ && !used[residue(d, m)];
        used[residue(d, m)] = true;
      }
      if (differ)
        return m;
    }
    return 0;
  }

  std::optional<sparse_matrix<T>> from_products() {
    modulus = find_modulus();
    // Columns one by one are not much more.
    if (modulus == 0 || cols < 2 * modulus + 2)
      return std::nullopt;
    residues.clear();
    for (const distance d : distances)
      residues.push_back(residue(d, modulus));
    sums.clear();
    for (std::size_t b = 0; b != modulus; ++b) {
      sums.emplace_back(rows);
      for (std::size_t j = b; j < cols; j += modulus)
        input[j] = 1;
      multiply(input, sums[b]);
      std::fill(input.begin(), input.end(), T(0));
    }
    sparse_matrix<T> matrix;
    if (!count_entries(matrix.pattern))
      return std::nullopt;
    set_entries(matrix);
    return matrix;
  }

  /// Does something for each place (j, value) of a row.
  template <class Do> void each_place(std::size_t i, const Do &act) const {
    const distance at = middle(i);
    const std::size_t bucket = std::size_t(at) % modulus;
    for (std::size_t k = 0; k != distances.size(); ++k) {
      const distance j = at + distances[k];
      if (j < 0 || j >= distance(cols))
        continue;
      std::size_t b = bucket + residues[k];
      b -= b >= modulus ? modulus : 0;
      act(std::size_t(j), sums[b][i]);
    }
  }

  /// Of symmetric matrices an entry is there where that beyond the main
  /// diagonal is.
  bool is_entry(std::size_t i, std::size_t j, T value) const {
    return value != T(0) || (symmetric && sums[i % modulus][j] != T(0));
  }

  /// Where the rows start; or that there are entries elsewhere.
  bool count_entries(sparsity &pattern) {
    pseudo_random random;
    for (T &number : input)
      number = T(random());
    vector product(rows);
    multiply(input, product);
    pattern.rows = rows;
    pattern.cols = cols;
    pattern.start.resize(rows + 1);
    std::size_t count = 0;
    bool complete = true;
    for (std::size_t i = 0; i != rows && complete; ++i) {
      T sum = 0, size = std::abs(product[i]);
      each_place(i, [&](std::size_t j, T value) {
        sum += value * input[j];
        size += std::abs(value);
        count += is_entry(i, j, value);
      });
      pattern.start[i + 1] = count;
      complete = std::abs(sum - product[i]) <= size * negligible<T>();
    }
    std::fill(input.begin(), input.end(), T(0));
    return complete;
  }

  void set_entries(sparse_matrix<T> &matrix) const {
    matrix.pattern.column.resize(matrix.pattern.start[rows]);
    matrix.value.resize(matrix.pattern.start[rows]);
    std::size_t e = 0;
    for (std::size_t i = 0; i != rows; ++i)
      each_place(i, [&](std::size_t j, T value) {
        if (!is_entry(i, j, value))
          return;
        matrix.pattern.column[e] = std::uint32_t(j);
        matrix.value[e++] = value;
      });
  }

  const std::size_t rows, cols;
  const bool symmetric;
  Multiply &multiply;
  std::size_t modulus = 0;
  std::vector<distance> distances;   // in ascending order
  std::vector<std::size_t> residues; // of distances
  std::vector<vector> sums;          // the products, by residues of columns
  vector input;
};

} // namespace adze::detail
#endif
