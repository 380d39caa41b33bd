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

/// \p Multiply(v, y) sets y, which is zero, to the product of the matrix with
/// v.
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

  /// The column at the distance zero from a row, see also row_walk.
  distance middle(std::size_t i) const {
    return distance(rows == cols ? i : i * cols / rows);
  }

  bool take_distances_of_columns() {
    std::vector<distance> seen;
    vector product;
    for (const std::size_t j : {cols / 2, cols / 3 + 1, cols - cols / 4}) {
      product.assign(rows, T(0));
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
    if (modulus == 0 || rows == 0 || cols < 2 * modulus + 2)
      return std::nullopt;
    residues.clear();
    for (const distance d : distances)
      residues.push_back(residue(d, modulus));
    sums.clear();
    for (std::size_t b = 0; b != modulus; ++b) {
      choose_bucket(b);
      sums.emplace_back(rows);
      multiply(input, sums[b]);
    }
    pseudo_random random;
    for (T &number : input)
      number = T(random());
    vector product(rows);
    multiply(input, product);
    sparse_matrix<T> matrix;
    const bool complete = take_entries(matrix, product);
    std::fill(input.begin(), input.end(), T(0));
    if (!complete)
      return std::nullopt;
    return matrix;
  }

  /// Makes of the input for the bucket before, or of zeros, that for bucket
  /// \p b, in one pass.
  void choose_bucket(std::size_t b) {
    if (b == 0) {
      for (std::size_t j = 0; j < cols; j += modulus)
        input[j] = 1;
      return;
    }
    std::size_t j = b;
    for (; j < cols; j += modulus) {
      input[j - 1] = 0;
      input[j] = 1;
    }
    if (j - 1 < cols)
      input[j - 1] = 0;
  }

  /// A row, its middle column and the bucket of that column, without
  /// divisions: there are as many rows as numbers.
  class row_walk {
  public:
    row_walk(std::size_t rows, std::size_t cols, std::size_t modulus)
        : rows(rows), step(cols / rows), over(cols % rows), modulus(modulus),
          bucket_step(step % modulus) {}
    std::size_t row = 0, middle = 0, bucket = 0;
    void advance() {
      ++row;
      middle += step;
      bucket += bucket_step;
      bucket -= bucket >= modulus ? modulus : 0;
      rest += over;
      if (rest < rows)
        return;
      rest -= rows;
      ++middle;
      bucket = bucket + 1 == modulus ? 0 : bucket + 1;
    }

  private:
    std::size_t rows, step, over, modulus, bucket_step, rest = 0;
  };

  /// Appends rows to a matrix. They are collected in the cache, so that the
  /// memory of the matrix is written once.
  class row_writer {
  public:
    row_writer(sparse_matrix<T> &to, std::size_t rows, std::size_t entries)
        : to(to) {
      to.pattern.start.reserve(rows + 1);
      to.pattern.column.reserve(entries);
      to.value.reserve(entries);
    }
    void add(std::size_t j, T number) {
      column[count] = std::uint32_t(j);
      value[count++] = number;
    }
    void end_row() {
      start[lines++] = written + count;
      if (lines == most_lines || count > most_entries - most_diagonals)
        flush();
    }
    void flush() {
      append(to.pattern.start, start, lines);
      append(to.pattern.column, column, count);
      append(to.value, value, count);
      written += count;
      count = lines = 0;
    }

  private:
    static constexpr std::size_t most_lines = 256, most_entries = 1024;
    template <class E>
    static void append(std::vector<E> &all, const E *from, std::size_t n) {
      all.insert(all.end(), from, from + n);
    }
    sparse_matrix<T> &to;
    std::size_t written = 0, count = 0, lines = 0;
    std::size_t start[most_lines];
    std::uint32_t column[most_entries];
    T value[most_entries];
  };

  /// The matrix, or that there are entries elsewhere: \p product is that with
  /// the input. Of symmetric matrices an entry is there where that beyond the
  /// main diagonal is.
  bool take_entries(sparse_matrix<T> &matrix, const vector &product) const {
    matrix.pattern.rows = rows;
    matrix.pattern.cols = cols;
    row_writer to(matrix, rows, rows * distances.size());
    std::vector<const T *> of_bucket;
    for (const vector &each : sums)
      of_bucket.push_back(each.data());
    for (row_walk at(rows, cols, modulus); at.row != rows; at.advance()) {
      T sum = 0, size = std::abs(product[at.row]);
      for (std::size_t k = 0; k != distances.size(); ++k) {
        // Beyond the first column this is a large number.
        const std::size_t j = at.middle + std::size_t(distances[k]);
        if (j >= cols)
          continue;
        std::size_t b = at.bucket + residues[k];
        b -= b >= modulus ? modulus : 0;
        const T value = of_bucket[b][at.row];
        sum += value * input[j];
        size += std::abs(value);
        if (value != T(0) || (symmetric && of_bucket[at.bucket][j] != T(0)))
          to.add(j, value);
      }
      if (!(std::abs(sum - product[at.row]) <= size * negligible<T>()))
        return false;
      to.end_row();
    }
    to.flush();
    give_back(matrix.pattern.column);
    give_back(matrix.value);
    return true;
  }
  /// Much that was reserved for entries which are not there.
  template <class E> static void give_back(std::vector<E> &all) {
    if (all.size() < all.capacity() / 2)
      all.shrink_to_fit();
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
