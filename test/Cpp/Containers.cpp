// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More of what programs keep their numbers in, first and second derivatives.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <bitset>
#include <chrono>
#include <forward_list>
#include <map>
#include <string>
#include <string_view>
#include <valarray>
#include <variant>

/// At -O0 functions of one type are told apart when they run, and the second
/// derivatives of some of these are refused there.
#ifdef __OPTIMIZE__
#define HESSIANS
#endif

static double waves(const std::valarray<double> &v) {
  const std::valarray<double> w = v * v + std::sin(v);
  return w.sum() * w[0];
}

struct Circle {
  double radius;
};
struct Box {
  double width, height;
};
using Shape = std::variant<Circle, Box, std::vector<double>, std::string>;
static double area(const Shape &s) {
  if (const auto *c = std::get_if<Circle>(&s))
    return 3 * c->radius * c->radius;
  if (const auto *b = std::get_if<Box>(&s))
    return b->width * b->height;
  double sum = 0;
  if (const auto *v = std::get_if<std::vector<double>>(&s))
    for (double x : *v)
      sum += x * x;
  return sum;
}
static double all_areas(const std::vector<Shape> &shapes) {
  double product = 1;
  for (const Shape &s : shapes)
    if (s.index() != 3)
      product *= area(s);
  return product;
}
using Figure = std::variant<Circle, Box>;
static double area_of(const Figure &s) {
  return std::visit(
      [](const auto &one) {
        if constexpr (std::is_same_v<decltype(one), const Circle &>)
          return 3 * one.radius * one.radius;
        else
          return one.width * one.height;
      },
      s);
}
struct Owned {
  std::variant<std::unique_ptr<double>, int> value;
};

/// Contains itself.
struct Tree {
  double value;
  std::vector<Tree> branches;
};
static double weigh(const Tree &t) {
  double sum = t.value * t.value;
  for (const Tree &b : t.branches)
    sum += t.value * weigh(b);
  return sum;
}
struct Chain {
  double value;
  std::unique_ptr<Chain> next;
};
static double product(const Chain &c) {
  return c.next ? c.value * product(*c.next) : c.value;
}

struct Nothing {};
struct Tag : Nothing {
  double a, b;
};
struct Wide {
  double a, b, c, d, e, f, g, h, i, j;
  std::bitset<8> bits;
  std::string_view name;
  std::chrono::milliseconds time;
  double k[2];
};

static double visited(const std::vector<double> &x) {
  std::variant<double, int> v = x[0] * x[1];
  return std::visit([&](auto a) { return double(a) * a * x[2]; }, v);
}

/// The last element of an array that may be empty: compilers make a constant
/// address of it.
static double last_product(const std::vector<double> &x) {
  std::vector<double> squares;
  for (double v : x)
    squares.push_back(v * v);
  for (std::size_t i = 1; i < squares.size(); ++i)
    squares[i] *= squares[i - 1];
  return squares.back();
}

static void check_variants() {
  const std::vector<Shape> shapes{Circle{2}, Box{3, 4},
                                  std::vector<double>{1, 2}, "text"};
  const auto d = adze::gradient(all_areas, shapes);
  near("circle", std::get<Circle>(d[0]).radius, 12.0 * 12 * 5);
  near("box", std::get<Box>(d[1]).height, 12.0 * 3 * 5);
  near("vector", std::get<2>(d[2])[1], 12.0 * 12 * 4);
  holds("text", std::get<3>(d[3]) == "text");
#ifdef HESSIANS
  near("Hessian", adze::hessian(area_of, Figure(Box{3, 4}))(0, 1), 1);
#endif
  const double made = adze::gradient(
      [](double x) {
        Figure a = Circle{x};
        const Figure b = Box{x, 2 * x};
        const double before = area_of(a);
        a = b;
        return before + area_of(a);
      },
      2.0);
  near("made", made, 12 + 8);
  const Owned owned{std::make_unique<double>(3.0)};
  const Owned d_owned = adze::gradient(
      [](const Owned &o) { return std::pow(*std::get<0>(o.value), 2); }, owned);
  near("owned", *std::get<0>(d_owned.value), 6);
}

static void check_structures() {
  const Tree tree{2, {{3, {}}, {4, {{5, {}}}}}};
  const Tree d = adze::gradient(weigh, tree);
  near("trunk", d.value, 4 + 9 + 16 + 4 * 25);
  near("leaf", d.branches[1].branches[0].value, 2 * 4 * 10);
#ifdef HESSIANS
  near("tree's Hessian", adze::hessian(weigh, tree)(0, 1), 6);
#endif
  Chain chain{2, std::make_unique<Chain>()};
  chain.next->value = 3;
  near("chain", adze::gradient(product, chain).next->value, 2);

  Tag tag;
  tag.a = 2, tag.b = 3;
  near("empty base",
       adze::gradient([](const Tag &t) { return t.a * t.b * t.b; }, tag).b, 12);
  const Wide wide{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5, "wide", {}, {11, 12}};
  const Wide dw = adze::gradient(
      [](const Wide &w, std::string_view s) {
        return w.a * w.k[1] * w.j * double(w.bits.count() + s.size());
      },
      wide, std::string_view("four"));
  near("many members", dw.k[1], 10 * 6);
  holds("inert members", dw.name == "wide" && dw.bits == 5);
}

int main() {
  const std::valarray<double> v{1, 2, 3};
  const double first = 1 + std::sin(1.0);
  const double sum = 14 + std::sin(1.0) + std::sin(2.0) + std::sin(3.0);
  const auto dv = adze::gradient(waves, v);
  near("valarray", dv[2], (6 + std::cos(3.0)) * first);
  near("valarray's first", dv[0], (2 + std::cos(1.0)) * (first + sum));
#ifdef HESSIANS
  near("valarray's Hessian", adze::hessian(waves, v)(0, 2),
       (2 + std::cos(1.0)) * (6 + std::cos(3.0)));
#endif
  const auto along = adze::directional(
      [](const std::valarray<double> &x) {
        std::valarray<double> y = x[std::slice(0, 2, 2)];
        y *= x[1];
        return y;
      },
      v, std::valarray<double>{0, 1, 1});
  near("slice", along[1], 3 + 2);

  const auto dl = adze::gradient(
      [](const std::forward_list<double> &l) {
        double p = 1;
        for (double x : l)
          p *= x;
        return p;
      },
      std::forward_list<double>{2, 3, 4});
  near("list", dl.front(), 12);
  check_variants();
  check_structures();
  near("last", adze::gradient(last_product, std::vector<double>{1, 2, 3})[1],
       2 * 2 * 9);
  // Of the same type, and at -O0 without a second derivative.
  near("visited", adze::gradient(visited, std::vector<double>{1, 2, 3})[2], 4);
  near("last's Hessian",
       adze::hessian(last_product, std::vector<double>{1, 2, 3})(0, 1), 72);
  return failures();
}
