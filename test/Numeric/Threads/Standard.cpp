// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-pthread -std=c++20" libs="-pthread"
// Threads, mutexes and atomic variables of C++ (libstdc++).
#include "check.h"
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

// What a lambda has by reference and by value.
extern "C" double captures(const double *x, int n) {
  std::vector<double> parts(3);
  std::vector<std::thread> threads;
  double first = x[0];
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&parts, x, n, k, first] {
      double s = 0;
      for (int i = n * k / 3; i < n * (k + 1) / 3; ++i)
        s += std::sin(x[i]) * x[i] * first;
      parts[k] = s;
    });
  for (std::thread &t : threads)
    t.join();
  double s = 0;
  for (double p : parts)
    s = s * 0.5 + p * p;
  return s;
}
ADZE_TEST_ARRAY(captures, Count, POINT)

// Locks, one and two at a time.
extern "C" double locked(const double *x, int n) {
  std::mutex one, other;
  double sum = 0, product = 1;
  auto work = [&](int begin, int step) {
    for (int i = begin; i < n; i += step) {
      double v = x[i] * x[i];
      {
        std::lock_guard<std::mutex> guard(one);
        sum += v;
      }
      std::unique_lock<std::mutex> guard(other);
      product *= 1 + 0.1 * v;
      guard.unlock();
      std::scoped_lock both(one, other);
      sum += 0.5 * v;
    }
  };
  std::thread a([&] { work(0, 2); }), b([&] { work(1, 2); });
  a.join();
  b.join();
  return sum * product;
}
ADZE_TEST_ARRAY(locked, Count, POINT)

// Sums of atomic variables, and iterations that threads take as they come.
extern "C" double atomics(const double *x, int n) {
  std::atomic<double> sum{0}, other{x[0]};
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.push_back(std::thread([&] {
      for (int i; (i = next.fetch_add(1)) < n;) {
        double t = x[i] * std::sin(x[i]);
        sum.fetch_add(t);
        double old = other.load();
        while (!other.compare_exchange_weak(old, old + t * t))
          ;
      }
    }));
  for (std::thread &t : threads)
    t.join();
  return sum * other.load();
}
ADZE_TEST_ARRAY(atomics, Count, POINT)

struct Work {
  const double *x;
  int n;
  double scale, result = 0;
  void operator()() {
    for (int i = 0; i < n; ++i)
      result += x[i] * x[i] * scale;
  }
};

// Objects that are called; threads that are assigned, moved and swapped.
extern "C" double objects(const double *x, int n) {
  Work w{x, n, x[0]}, v{x, n - 1, x[1]};
  std::thread a{std::ref(w)}, b;
  b = std::thread([&v] { v(); });
  a.swap(b);
  std::thread c = std::move(a);
  if (c.joinable())
    c.join();
  b.join();
  return w.result * v.result;
}
ADZE_TEST_ARRAY(objects, Count, POINT)
