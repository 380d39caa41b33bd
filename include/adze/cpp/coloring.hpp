// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of a matrix that one product with a vector gives together. A colour
// is a set of such columns.
//
// Jacobians: two columns with an entry in the same row have different colours
// (a distance-2 colouring of the columns; Curtis, Powell and Reid, 1974).
// Hessians: a star colouring, in which neighbours have different colours and
// each path of four vertices has three; each entry then stands alone in the
// product of its row or, since the matrix is symmetric, of its column (Coleman
// and More, 1984). Both greedily, in the order of the columns, as in
// Gebremedhin, Manne and Pothen, "What Color Is Your Jacobian?", SIAM Review 47
// (2005), algorithms 3.1 and 4.1.
#ifndef ADZE_CPP_COLORING_HPP
#define ADZE_CPP_COLORING_HPP

#include "adze/cpp/sparsity.hpp"

namespace adze {
namespace detail {

inline constexpr std::uint32_t no_color = ~std::uint32_t(0);

/// Colours that a vertex may not have.
class forbidden_colors {
public:
  void forbid(std::uint32_t color, std::size_t vertex) {
    if (color >= by.size())
      by.resize(color + 1, ~std::size_t(0));
    by[color] = vertex;
  }
  std::uint32_t smallest_free(std::size_t vertex) const {
    std::uint32_t color = 0;
    while (color < by.size() && by[color] == vertex)
      ++color;
    return color;
  }

private:
  std::vector<std::size_t> by; // the vertex that may not have a colour
};

inline std::vector<std::uint32_t> color_columns(const sparsity &rows,
                                                const sparsity &columns) {
  std::vector<std::uint32_t> color(rows.cols, no_color);
  forbidden_colors forbidden;
  for (std::size_t v = 0; v != rows.cols; ++v) {
    for (std::size_t e = columns.start[v]; e != columns.start[v + 1]; ++e) {
      const std::size_t i = columns.column[e];
      for (std::size_t k = rows.start[i]; k != rows.start[i + 1]; ++k)
        if (const std::uint32_t used = color[rows.column[k]]; used != no_color)
          forbidden.forbid(used, v);
    }
    color[v] = forbidden.smallest_free(v);
  }
  return color;
}

/// A neighbour of \p x other than \p w has the colour of \p w.
inline bool meets_again(const sparsity &of, std::size_t x, std::size_t w,
                        const std::vector<std::uint32_t> &color) {
  for (std::size_t e = of.start[x]; e != of.start[x + 1]; ++e)
    if (const std::size_t y = of.column[e];
        y != w && y != x && color[y] == color[w])
      return true;
  return false;
}

inline std::vector<std::uint32_t> color_stars(const sparsity &of) {
  std::vector<std::uint32_t> color(of.rows, no_color);
  forbidden_colors forbidden;
  for (std::size_t v = 0; v != of.rows; ++v) {
    for (std::size_t e = of.start[v]; e != of.start[v + 1]; ++e) {
      const std::size_t w = of.column[e];
      if (w == v)
        continue;
      if (color[w] != no_color)
        forbidden.forbid(color[w], v);
      for (std::size_t k = of.start[w]; k != of.start[w + 1]; ++k) {
        const std::size_t x = of.column[k];
        if (x != w && x != v && color[x] != no_color &&
            (color[w] == no_color || meets_again(of, x, w, color)))
          forbidden.forbid(color[x], v);
      }
    }
    color[v] = forbidden.smallest_free(v);
  }
  return color;
}

/// Numbers of entries: of 32 bits where they fit, for there are as many as
/// entries, and they are read for each matrix.
class entry_numbers {
public:
  void resize(std::size_t size) {
    is_wide = size > no_color;
    if (is_wide)
      wide.resize(size);
    else
      narrow.resize(size);
  }
  void set(std::size_t at, std::size_t number) {
    if (is_wide)
      wide[at] = number;
    else
      narrow[at] = std::uint32_t(number);
  }
  /// Calls \p act with the array.
  template <class Do> void with(const Do &act) const {
    if (is_wide)
      act(wide.data());
    else
      act(narrow.data());
  }

private:
  bool is_wide = false;
  std::vector<std::uint32_t> narrow;
  std::vector<std::size_t> wide;
};

} // namespace detail

/// A pattern with the colours of its columns, and where in the products each
/// entry is. Made once, it serves any number of evaluations.
class coloring {
public:
  /// For Jacobians column by column (forward mode).
  static coloring of_columns(sparsity pattern) {
    coloring made(std::move(pattern));
    const sparsity columns = made.places.transposed();
    made.set_colors(detail::color_columns(made.places, columns));
    made.locate([&](std::size_t i, std::size_t j, std::size_t) {
      return place(std::uint32_t(i), made.color_of[j]);
    });
    return made;
  }
  /// For Jacobians row by row (reverse mode).
  static coloring of_rows(sparsity pattern) {
    coloring made(std::move(pattern));
    made.by_rows = true;
    const sparsity columns = made.places.transposed();
    made.set_colors(detail::color_columns(columns, made.places));
    made.locate([&](std::size_t i, std::size_t j, std::size_t) {
      return place(std::uint32_t(j), made.color_of[i]);
    });
    return made;
  }
  /// For Hessians. The pattern is made symmetric.
  static coloring of_symmetric(const sparsity &pattern) {
    const sparsity mirrored = pattern.transposed();
    coloring made(pattern == mirrored ? mirrored : pattern | mirrored);
    made.set_colors(detail::color_stars(made.places));
    made.locate_symmetric();
    return made;
  }

  const sparsity &pattern() const { return places; }
  std::size_t colors() const { return count; }
  bool is_of_rows() const { return by_rows; }
  std::uint32_t color(std::size_t line) const { return color_of[line]; }

  /// Takes the entries that the product with the lines of \p color has.
  template <class Product, class T>
  void take(std::size_t color, const Product &product,
            std::vector<T> &value) const {
    entry.with([&](const auto *at) {
      for (std::size_t k = first[color]; k != first[color + 1]; ++k)
        value[at[k]] = product[element[k]];
    });
  }

private:
  /// An element of the product with the lines of a colour: a row or a column,
  /// whose numbers have 32 bits.
  using place = std::pair<std::uint32_t, std::uint32_t>;

  explicit coloring(sparsity pattern) : places(std::move(pattern)) {}

  void set_colors(std::vector<std::uint32_t> colors) {
    color_of = std::move(colors);
    for (std::uint32_t c : color_of)
      count = std::max<std::size_t>(count, c + 1);
  }

  /// \p where says for an entry which element of which colour's product it is.
  template <class Where> void locate(const Where &where) {
    first.assign(count + 1, 0);
    each_entry([&](std::size_t i, std::size_t j, std::size_t e) {
      ++first[where(i, j, e).second + 1];
    });
    for (std::size_t c = 0; c != count; ++c)
      first[c + 1] += first[c];
    entry.resize(places.size());
    element.resize(places.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    each_entry([&](std::size_t i, std::size_t j, std::size_t e) {
      const auto [at, c] = where(i, j, e);
      entry.set(next[c], e);
      element[next[c]++] = at;
    });
  }

  void locate_symmetric() {
    // How often row i sees a colour: 2 stands for several times.
    std::vector<std::size_t> seen_by(count, ~std::size_t(0));
    std::vector<std::uint8_t> alone(places.size());
    std::vector<std::uint8_t> times(count);
    for (std::size_t i = 0; i != places.rows; ++i) {
      for (std::size_t e = places.start[i]; e != places.start[i + 1]; ++e) {
        const std::uint32_t c = color_of[places.column[e]];
        times[c] = seen_by[c] == i ? 2 : 1;
        seen_by[c] = i;
      }
      for (std::size_t e = places.start[i]; e != places.start[i + 1]; ++e)
        alone[e] = times[color_of[places.column[e]]] == 1;
    }
    locate([&](std::size_t i, std::size_t j, std::size_t e) {
      return alone[e] ? place(std::uint32_t(i), color_of[j])
                      : place(std::uint32_t(j), color_of[i]);
    });
  }

  template <class Do> void each_entry(const Do &act) const {
    for (std::size_t i = 0; i != places.rows; ++i)
      for (std::size_t e = places.start[i]; e != places.start[i + 1]; ++e)
        act(i, places.column[e], e);
  }

  sparsity places;
  bool by_rows = false;
  std::size_t count = 0;
  std::vector<std::uint32_t> color_of;
  // Entries sorted by the colour whose product has them, and where.
  std::vector<std::size_t> first;
  detail::entry_numbers entry;
  std::vector<std::uint32_t> element;
};

} // namespace adze
#endif
