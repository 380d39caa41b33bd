// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: libcxx
// Containers of std::pmr with the resources of the standard library, made in
// the function, and one of the program's own.
#include "check.h"
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" double pmr_stack(const double *x, int n) {
  alignas(16) char space[512];
  std::pmr::monotonic_buffer_resource arena(space, sizeof space);
  std::pmr::vector<double> v(&arena);
  for (int i = 0; i < n; ++i)
    v.push_back(x[i] * x[i]);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i] * v[(i + 1) % n];
  return s;
}
ADZE_TEST_ARRAY(pmr_stack, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double pmr_heap(const double *x, int n) {
  std::pmr::monotonic_buffer_resource arena;
  std::pmr::vector<double> v(&arena);
  std::pmr::map<int, double> m(&arena);
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i] * x[i]);
    m[i * 7 % 5] += x[i];
  }
  double s = 0;
  for (auto &[k, d] : m)
    s += v[k] * d;
  return s;
}
ADZE_TEST_ARRAY(pmr_heap, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double pmr_pool(const double *x, int n) {
  std::pmr::unsynchronized_pool_resource pool;
  std::pmr::vector<double> v(&pool);
  std::pmr::list<double> l(&pool);
  std::pmr::string text("a text that is too long for the string itself", &pool);
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i] * x[i]);
    l.push_front(x[i]);
  }
  double s = text.size();
  for (double d : l) {
    s += v.back() * d;
    v.pop_back();
  }
  return s;
}
ADZE_TEST_ARRAY(pmr_pool, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

extern "C" double pmr_default(const double *x, int n) {
  std::pmr::vector<double> v;
  std::pmr::vector<std::pmr::vector<double>> w(std::pmr::new_delete_resource());
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i] * x[i]);
    w.emplace_back(2, x[i]);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i] * w[n - 1 - i][1];
  return s;
}
ADZE_TEST_ARRAY(pmr_default, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

struct Counting : std::pmr::memory_resource {
  int calls = 0;
  void *do_allocate(std::size_t n, std::size_t) override {
    ++calls;
    return ::operator new(n);
  }
  void do_deallocate(void *p, std::size_t, std::size_t) override {
    ::operator delete(p);
  }
  bool do_is_equal(const memory_resource &o) const noexcept override {
    return this == &o;
  }
};
extern "C" double pmr_own(const double *x, int n) {
  Counting c;
  std::pmr::vector<double> v(&c);
  for (int i = 0; i < n; ++i)
    v.push_back(x[i] * x[i]);
  double s = c.calls;
  for (int i = 0; i < n; ++i)
    s += v[i] * v[(i + 1) % n];
  return s;
}
ADZE_TEST_ARRAY(pmr_own, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

struct Solver {
  std::pmr::monotonic_buffer_resource arena{256};
  std::pmr::vector<double> state{&arena};
  void step(const double *x, int n) {
    std::pmr::vector<double> next(state.size() + 1, x[n - 1], &arena);
    for (std::size_t i = 0; i < state.size(); ++i)
      next[i] = state[i] * x[i] + next[i + 1];
    state = std::move(next);
  }
};
extern "C" double pmr_more(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    char space[128];
    std::pmr::monotonic_buffer_resource arena(space, sizeof space);
    std::pmr::deque<double> q(&arena);
    for (int j = 0; j <= i; ++j)
      q.push_front(x[j] * x[i]);
    for (double d : q)
      r = r * 0.9 + d * d;
  }
  Solver s;
  for (int i = 0; i < 4; ++i)
    s.step(x, n);
  for (double d : s.state)
    r += d * x[0];
  std::unique_ptr<std::pmr::memory_resource> pool =
      std::make_unique<std::pmr::synchronized_pool_resource>(&s.arena);
  std::pmr::unordered_map<std::pmr::string, double> named(pool.get());
  for (int i = 0; i < n; ++i)
    named[i % 2 ? "an odd name that is long enough" : "even"] += x[i];
  r *= named.at("an odd name that is long enough") + named.at("even") * x[1];
  std::pmr::unsynchronized_pool_resource other(pool.get());
  std::pmr::vector<double> a({x[0], x[1]}, &other), b(a), c(a, pool.get());
  std::swap(a[0], a[1]);
  c = std::move(a);
  if (other.is_equal(*pool) || !other.is_equal(other) ||
      *b.get_allocator().resource() != *std::pmr::new_delete_resource())
    r += 1000 * x[0];
  return r + b[0] * b[1] * c[1];
}
ADZE_TEST_ARRAY(pmr_more, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
