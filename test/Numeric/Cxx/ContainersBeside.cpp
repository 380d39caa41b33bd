// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several kinds of containers in one class or function: numbers of nodes and of
// owners stand where other nodes have floats, and without type-based alias
// information only their use tells.
#include "check.h"
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

struct Book {
  std::map<int, double> prices;
  std::set<double> levels;
  std::list<double> history;
  std::unordered_map<int, double> shares;
  std::deque<double> window;
  std::shared_ptr<double> last;
  void add(int i, double d) {
    prices[i % 3] += d;
    levels.insert(d);
    history.push_back(d * d);
    shares[i % 2] += d * i;
    window.push_back(d);
    if (window.size() > 3)
      window.pop_front();
    last = std::make_shared<double>(d);
  }
  double value() const {
    double r = *last;
    for (auto &[k, d] : prices)
      r += k * d * d;
    for (double d : levels)
      r = r * 0.5 + d;
    for (double d : history)
      r = r * 0.9 + d;
    r += shares.at(0) * shares.at(1);
    for (double d : window)
      r += d * d * d;
    return r;
  }
};
extern "C" double book(const double *x, int n) {
  Book b;
  for (int i = 0; i < n; ++i)
    b.add(i, x[i]);
  return b.value();
}
ADZE_TEST_ARRAY(book, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

struct Two {
  std::map<int, double> prices;
  std::list<double> history;
  void add(int i, double d) {
    prices[i % 3] += d;
    history.push_back(d * d);
  }
  double value() const {
    double r = 1;
    for (auto &[k, d] : prices)
      r += k * d * d;
    for (double d : history)
      r = r * 0.9 + d;
    return r;
  }
};
extern "C" double two(const double *x, int n) {
  Two b;
  for (int i = 0; i < n; ++i)
    b.add(i, x[i]);
  return b.value();
}
ADZE_TEST_ARRAY(two, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

struct Shared {
  std::map<int, double> prices;
  std::shared_ptr<double> last;
  void add(int i, double d) {
    prices[i % 3] += d;
    last = std::make_shared<double>(d);
  }
  double value() const {
    double r = *last;
    for (auto &[k, d] : prices)
      r += k * d * d;
    return r;
  }
};
extern "C" double shared(const double *x, int n) {
  Shared b;
  for (int i = 0; i < n; ++i)
    b.add(i, x[i]);
  return b.value();
}
ADZE_TEST_ARRAY(shared, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

struct Record {
  double a;
  int id;
};
extern "C" double maps(const double *x, int n) {
  std::map<int, double> m;
  std::map<double, int> inverse;
  std::multimap<int, Record> records;
  std::set<int> ids;
  for (int i = 0; i < n; ++i) {
    m[i] = x[i] * x[i];
    inverse[x[i]] = i;
    records.insert({i % 2, {x[i], i}});
    ids.insert(i * 3 % 5);
  }
  double r = 0;
  for (auto &[k, i] : inverse)
    r = r * 0.5 + k * m[i];
  for (auto &[k, d] : records)
    r += k * d.a * d.id;
  for (int i : ids)
    r = r * 0.9 + m[i];
  return r;
}
ADZE_TEST_ARRAY(maps, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
