// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libc++ has in its library and libstdc++ in its headers: std::sort of
// arrays of floats, the counts of shared and weak pointers, numbers as text.
// ADZE: libcxx levels=O0,O2 may-refuse=O2noalias
#include "check.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" double sorted(const double *x, int n) {
  std::vector<double> v(x, x + n);
  std::sort(v.begin(), v.end());
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 0.7 + v[i] * v[i] * (i + 1);
  std::vector<int> keys{5, 2, 7, 1};
  std::sort(keys.begin(), keys.end());
  return s + v[3] * v[0] * keys[1];
}
ADZE_TEST_ARRAY(sorted, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

struct Node {
  double v;
  std::weak_ptr<Node> parent;
  std::vector<std::shared_ptr<Node>> kids;
  ~Node() {}
};
static double up(const std::shared_ptr<Node> &n) {
  double s = n->v;
  if (auto p = n->parent.lock())
    s *= p->v;
  for (auto &k : n->kids)
    s += up(k);
  return s;
}
extern "C" double counted(const double *x, int n) {
  auto root = std::make_shared<Node>();
  root->v = x[0];
  for (int i = 1; i < n; ++i) {
    std::shared_ptr<Node> k(new Node);
    k->v = x[i];
    k->parent = root;
    root->kids.push_back(k);
  }
  std::weak_ptr<Node> gone;
  {
    auto t = std::make_shared<Node>();
    t->v = x[1];
    gone = t;
  }
  return up(root) * (gone.expired() ? 1 : x[2]);
}
ADZE_TEST_ARRAY(counted, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double texts(const double *x, int n) {
  std::ostringstream out;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    out << "step " << i << "\n";
    s += x[i] * x[i];
  }
  std::string u = "name" + std::to_string(n) + "_and_a_long_tail_behind_it";
  s *= double(out.str().size() + u.size());
  std::istringstream in("3 4 five");
  int a, b;
  std::string w;
  in >> a >> b >> w;
  s += x[0] * a * b * w.size() + std::stoi("12") * x[1];
  try {
    std::optional<double> o;
    s += o.value();
  } catch (const std::bad_optional_access &) {
    s += x[1] * x[1];
  }
  try {
    s += std::stoi("none");
  } catch (const std::exception &) {
    s += x[2] * x[1];
  }
  return s;
}
ADZE_TEST_ARRAY(texts, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
