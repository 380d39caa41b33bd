// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which entries of a matrix may differ from zero, and matrices that hold these
// alone, row by row (CSR).
#ifndef ADZE_CPP_SPARSITY_HPP
#define ADZE_CPP_SPARSITY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace adze {

/// The places of the entries of a sparse matrix: those of row i are
/// column[start[i]], ..., column[start[i + 1] - 1], in ascending order.
struct sparsity {
  std::size_t rows = 0, cols = 0;
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;

  sparsity() = default;
  /// From places in any order; each may be there several times.
  sparsity(std::size_t rows, std::size_t cols,
           const std::vector<std::pair<std::size_t, std::size_t>> &places)
      : rows(rows), cols(cols), start(rows + 1), column(places.size()) {
    for (const auto &place : places)
      ++start[place.first + 1];
    for (std::size_t i = 0; i != rows; ++i)
      start[i + 1] += start[i];
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const auto &place : places)
      column[next[place.first]++] = std::uint32_t(place.second);
    sort_rows();
  }
  std::size_t size() const { return column.size(); }

  /// The same matrix with rows and columns exchanged.
  sparsity transposed() const {
    sparsity other;
    other.rows = cols;
    other.cols = rows;
    other.start.assign(cols + 1, 0);
    other.column.resize(size());
    for (std::uint32_t j : column)
      ++other.start[j + 1];
    for (std::size_t j = 0; j != cols; ++j)
      other.start[j + 1] += other.start[j];
    std::vector<std::size_t> next(other.start.begin(), other.start.end() - 1);
    for (std::size_t i = 0; i != rows; ++i)
      for (std::size_t e = start[i]; e != start[i + 1]; ++e)
        other.column[next[column[e]]++] = std::uint32_t(i);
    return other;
  }

  /// The places of both.
  friend sparsity operator|(const sparsity &a, const sparsity &b) {
    sparsity both;
    both.rows = a.rows;
    both.cols = a.cols;
    both.start.assign(1, 0);
    for (std::size_t i = 0; i != a.rows; ++i) {
      std::set_union(a.column.begin() + std::ptrdiff_t(a.start[i]),
                     a.column.begin() + std::ptrdiff_t(a.start[i + 1]),
                     b.column.begin() + std::ptrdiff_t(b.start[i]),
                     b.column.begin() + std::ptrdiff_t(b.start[i + 1]),
                     std::back_inserter(both.column));
      both.start.push_back(both.column.size());
    }
    return both;
  }
  friend bool operator==(const sparsity &a, const sparsity &b) {
    return a.rows == b.rows && a.cols == b.cols && a.start == b.start &&
           a.column == b.column;
  }

private:
  void sort_rows() {
    std::size_t to = 0, from = 0;
    for (std::size_t i = 0; i != rows; ++i) {
      const std::size_t end = start[i + 1];
      const auto first = column.begin() + std::ptrdiff_t(from);
      const auto last = column.begin() + std::ptrdiff_t(end);
      std::sort(first, last);
      const std::size_t begin = to;
      for (auto it = first; it != last; ++it)
        if (to == begin || column[to - 1] != *it)
          column[to++] = *it;
      from = end;
      start[i] = begin;
    }
    start[rows] = to;
    column.resize(to);
  }
};

/// A sparse matrix: value[e] stands where its pattern says.
template <class T> struct sparse_matrix {
  sparsity pattern;
  std::vector<T> value;

  std::size_t rows() const { return pattern.rows; }
  std::size_t cols() const { return pattern.cols; }
  T operator()(std::size_t i, std::size_t j) const {
    const auto begin =
        pattern.column.begin() + std::ptrdiff_t(pattern.start[i]);
    const auto end =
        pattern.column.begin() + std::ptrdiff_t(pattern.start[i + 1]);
    const auto at = std::lower_bound(begin, end, std::uint32_t(j));
    if (at == end || *at != j)
      return T(0);
    return value[std::size_t(at - pattern.column.begin())];
  }
};

} // namespace adze
#endif
