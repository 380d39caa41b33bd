// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of shared nodes with virtual functions: nodes are reached on several ways, and freed late.
// Without type-based alias information a pointer of unknown origin stands in the way.
// ADZE: may-refuse=O2noalias
#include "check.h"
#include <memory>
#include <vector>

struct Node {
  virtual double value() const = 0;
  virtual ~Node() = default;
};
using Link = std::shared_ptr<Node>;
struct Leaf : Node {
  double v;
  explicit Leaf(double v) : v(v) {}
  double value() const override { return v; }
};
struct Product : Node {
  Link a, b;
  Product(Link a, Link b) : a(std::move(a)), b(std::move(b)) {}
  double value() const override { return a->value() * b->value(); }
};

extern "C" double graph(const double *x, int n) {
  std::vector<Link> all;
  for (int i = 0; i < n; ++i)
    all.push_back(std::make_shared<Leaf>(x[i]));
  for (int i = 0; i + 1 < n; ++i)
    all[(size_t)(i + 1)] = std::make_shared<Product>(all[(size_t)i], all[(size_t)(i + 1)]);
  double s = 0;
  for (const Link &l : all)
    s += l->value() * (double)(l.use_count());
  return s;
}

ADZE_TEST_ARRAY(graph, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
