// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: may-refuse=O0,O0g,O2noalias,O0wide
// A number, a double or a counted pointer in one place, one after the other:
// trees whose nodes are std::variant, and a variant that is assigned in a loop.
#include "check.h"
#include <functional>
#include <memory>
#include <variant>

struct Sum;
struct Product;
struct Variable {
  int at;
};
struct Number {
  double value;
};
using Node = std::variant<Variable, Number, std::shared_ptr<Sum>,
                          std::shared_ptr<Product>>;
struct Sum {
  Node left, right;
};
struct Product {
  Node left, right;
};

static double tree(const double *x) {
  std::function<double(const Node &)> value = [&](const Node &n) -> double {
    return std::visit(
        [&](auto &v) -> double {
          using Kind = std::decay_t<decltype(v)>;
          if constexpr (std::is_same_v<Kind, Variable>)
            return x[v.at];
          else if constexpr (std::is_same_v<Kind, Number>)
            return v.value;
          else if constexpr (std::is_same_v<Kind, std::shared_ptr<Sum>>)
            return value(v->left) + value(v->right);
          else
            return value(v->left) * value(v->right);
        },
        n);
  };
  Node root = Number{x[0]};
  for (int i = 1; i < 6; ++i)
    root = i % 2 ? Node(std::make_shared<Sum>(Sum{root, Variable{i}}))
                 : Node(std::make_shared<Product>(Product{root, Variable{i}}));
  return value(root);
}

struct Pair {
  double factor;
  int times;
};
using State = std::variant<Variable, Number, std::shared_ptr<Pair>>;

__attribute__((noinline)) static double assigned(const double *x, int n) {
  double sum = 0;
  State state = Number{x[0]};
  for (int i = 1; i < n; ++i) {
    if (auto *number = std::get_if<Number>(&state))
      sum += number->value * number->value;
    else if (auto *pair = std::get_if<std::shared_ptr<Pair>>(&state))
      sum += (*pair)->factor * (*pair)->times;
    else
      sum += x[std::get<Variable>(state).at] * 2;
    State next;
    switch (i % 3) {
    case 0:
      next = Variable{i};
      break;
    case 1:
      next = Number{x[i] * x[i]};
      break;
    default:
      next = std::make_shared<Pair>(Pair{x[i], i});
    }
    state = std::move(next);
    State copy = state;
    state = copy;
  }
  return sum;
}

int length = 6;

extern "C" void variant_trees(const double *x, double *y) {
  y[0] = tree(x);
  y[1] = assigned(x, length);
}

ADZE_TEST_MAP(variant_trees, 6, 2, ADZE_AT(0.9, 1.1, -0.7, 0.4, 1.3, -0.2))
