// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One class whose members are containers of all kinds, side by side: what is
// behind one member is nothing of the next, though headers of lists and trees
// look like nodes, and a table holds the address of the one entry in itself.
// ADZE: libcxx levels=O0,O1,O2 may-refuse=O2noalias compile-limit=60
#include "check.h"
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Part {
  double pos[3];
  double mass;
  int id;
  std::string tag;
};

struct Other {
  double k;
  std::vector<double> w;
  std::map<std::string, double> extra;
};

struct World {
  std::map<int, double> a;
  std::unordered_map<std::string, double> b;
  std::set<double> c;
  std::deque<double> d;
  std::vector<Part> e;
  std::function<double(double)> f;
  std::list<Part> g;
  std::vector<std::vector<double>> h;
  std::shared_ptr<Other> i;
  std::string name;
  std::optional<double> o;
  std::array<Part, 3> p;

  void fillBodies(const double *x, int n, int k) {
    Part q;
    for (int t = 0; t < 3; ++t)
      q.pos[t] = x[(k + t) % n] * (t + 1);
    q.mass = 1 + x[k] * x[k];
    q.id = k;
    q.tag = "part" + std::to_string(k);
    e.push_back(q);
    if (k % 2 == 0)
      g.push_back(q);
    std::vector<double> row;
    for (int t = 0; t <= k; ++t)
      row.push_back(x[t] * x[k]);
    h.push_back(row);
  }

  void fill(const double *x, int n) {
    name = "the world that has a long name indeed";
    for (int k = 0; k < n; ++k) {
      a[k % 3] += x[k] * x[k];
      b["key" + std::to_string(k % 4)] += std::sin(x[k]);
      c.insert(x[k] * 1.5 + k);
      d.push_back(x[k] * 2);
      if (k % 2)
        d.push_front(x[k] * x[(k + 1) % n]);
      fillBodies(x, n, k);
    }
    double s = x[0];
    f = [s](double y) { return s * y * y + std::cos(y); };
    i = std::make_shared<Other>();
    i->k = x[1];
    for (int k = 0; k < n; ++k)
      i->w.push_back(x[k] * 0.5);
    i->extra["one"] = x[2];
    i->extra["two"] = x[2] * x[0];
    o = x[n - 1] * 3;
    for (int k = 0; k < 3; ++k) {
      p[k] = e[k];
      p[k].mass *= 2;
    }
  }

  double energy() const {
    double s = 0, w = 1;
    for (auto &[k, v] : a)
      s += v * (k + 1);
    for (auto &[k, v] : b)
      s += v * v * k.size();
    for (double v : c) {
      s += v * w;
      w *= 0.9;
    }
    for (double v : d)
      s += v * v;
    for (auto &q : e)
      s += q.mass * (q.pos[0] * q.pos[1] + q.pos[2]) * (q.id + 1);
    for (auto &q : g)
      s += q.mass * q.pos[2] * q.tag.size();
    for (auto &r : h)
      for (double v : r)
        s += std::sin(v);
    s += f(s * 0.01) + i->k * i->w[0];
    for (double v : i->w)
      s += v * v * v;
    for (auto &[k, v] : i->extra)
      s += v * k.size();
    if (o)
      s += *o * *o;
    for (auto &q : p)
      s += q.mass * q.pos[0];
    return s;
  }

  void step(double dt) {
    for (auto &q : e) {
      q.pos[0] += dt * q.mass;
      q.pos[1] -= dt * q.pos[0];
    }
    for (auto &q : g)
      q.mass *= 1 + dt;
    a[7] = dt * energy() * 1e-3;
    b["fresh"] = dt * 3;
    if (!d.empty())
      d.pop_back();
    h.resize(h.size() - 1);
  }
};

} // namespace

extern "C" double containers(const double *x, int n) {
  World w;
  w.fill(x, n);
  w.step(0.01);
  w.step(0.0001);
  return w.energy();
}

ADZE_TEST_ARRAY(containers, 6, ADZE_AT(0.3, 0.47, 0.64, 0.81, 0.98, 1.15))
