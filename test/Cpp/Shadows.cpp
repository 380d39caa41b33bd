// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of what programs keep their numbers in.
#include "expect.hpp"
#include <adze/adze.hpp>
#include <array>
#include <complex>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

struct Layer {
  std::vector<double> weights;
  double bias = 0;
  std::string name;
};
struct Network {
  std::array<Layer, 2> layers;
  std::unique_ptr<double> scale;
  double table[2][3];
  std::optional<float> offset;
  std::pair<int, double> step;
};
static double run(const Network &n, double x) {
  for (const Layer &l : n.layers) {
    double sum = l.bias;
    for (double w : l.weights)
      sum += w * x;
    x = sum;
  }
  if (n.offset)
    x += *n.offset;
  return x * *n.scale + n.table[1][2] * n.step.second;
}

class Hidden {
  double first, second;
  int count;

public:
  Hidden(double a, double b) : first(a), second(b), count(2) {}
  double total() const { return count * first * second; }
  double get() const { return first; }
  friend auto adze_members(Hidden &h) { return std::tie(h.first, h.second); }
};

/// Owns its array, and copies it.
class Grid {
  double *cells;
  int n;

public:
  explicit Grid(int n) : cells(new double[std::size_t(n)]()), n(n) {}
  Grid(const Grid &other) : Grid(other.n) {
    for (int i = 0; i < n; ++i)
      cells[i] = other.cells[i];
  }
  Grid &operator=(const Grid &) = delete;
  ~Grid() { delete[] cells; }
  double &operator[](int i) { return cells[i]; }
  double operator[](int i) const { return cells[i]; }
  double energy() const {
    double e = 0;
    for (int i = 0; i + 1 < n; ++i)
      e += (cells[i] - cells[i + 1]) * (cells[i] - cells[i + 1]);
    return e;
  }
  friend auto adze_members(Grid &g) { return std::tie(g[0], g[1], g[2]); }
};

struct Node {
  double value;
  std::unique_ptr<Node> next;
  friend auto adze_members(Node &n) { return std::tie(n.value); }
};

int main() {
  Network n{{Layer{{1, 2}, 3, "first"}, Layer{{4}, 5, "second"}},
            std::make_unique<double>(2.0),
            {{1, 2, 3}, {4, 5, 6}},
            0.5f,
            {7, 8.0}};
  const Network zero = adze::make_zero(n);
  near("zero", zero.layers[0].weights[1], 0);
  holds("shape", zero.layers[0].weights.size() == 2 && zero.scale);
  near("integers stay", zero.step.first, 7);
  const auto [dn, dx] = adze::gradient(run, n, 2.0);
  near("weight", dn.layers[0].weights[1], 2 * 4 * 2);
  near("bias", dn.layers[1].bias, 2);
  near("owned", *dn.scale, 9 * 4 + 5 + 0.5);
  near("optional", *dn.offset, 2);
  near("array", dn.table[1][2], 8);
  near("pair", dn.step.second, 6);
  near("argument", dx, 3 * 4 * 2);

  const Hidden dh =
      adze::gradient([](const Hidden &h) { return h.total(); }, Hidden(3, 4));
  near("user's members", dh.get(), 8);
  Grid grid(3);
  grid[0] = 1, grid[1] = 3, grid[2] = 4;
  const Grid dg =
      adze::gradient([](const Grid &g) { return g.energy(); }, grid);
  near("user's array", dg[1], 2);

  const auto dm = adze::gradient(
      [](const std::map<std::string, double> &m) {
        return m.at("a") * m.at("b");
      },
      std::map<std::string, double>{{"a", 2}, {"b", 3}});
  near("map", dm.at("a"), 3);
  const auto dl = adze::gradient(
      [](const std::list<double> &l) { return l.front() * l.back(); },
      std::list<double>{2, 5, 3});
  near("list", dl.front(), 3);
  const auto dd =
      adze::gradient([](const std::deque<double> &d) { return d[1] * d[1]; },
                     std::deque<double>{2, 5, 3});
  near("deque", dd[1], 10);
  const auto dt = adze::gradient(
      [](const std::tuple<double, int, float> &t) {
        return std::get<0>(t) * std::get<1>(t) * double(std::get<2>(t));
      },
      std::tuple<double, int, float>(2, 3, 4.0f));
  near("tuple", std::get<2>(dt), 6);
  const auto dv = adze::gradient(
      [](const std::vector<std::vector<std::complex<double>>> &v) {
        return (v[0][1] * v[1][0]).real();
      },
      std::vector<std::vector<std::complex<double>>>{{1, {2, 3}}, {{4, 5}}});
  near("nested", dv[0][1].imag(), -5);
  std::vector<std::unique_ptr<double>> owners;
  owners.push_back(std::make_unique<double>(3));
  owners.push_back(nullptr);
  const auto downers = adze::gradient(
      [](const std::vector<std::unique_ptr<double>> &o) {
        return *o[0] * *o[0];
      },
      owners);
  near("vector of owners", *downers[0], 6);
  holds("null stays null", !downers[1]);
  static_assert(std::is_same_v<adze::shadow_of<const Layer &>, Layer>);
  return failures();
}
