// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" may-refuse=O0,O0g,O0clang
// ADZE: skip-unless=header:omp.h reason="blocks of unknown types at O0"
// Loops behind templates: a policy says how they run, lambdas with copies of
// views and sums are what they do.
#include "check.h"
#include <cmath>
#include <omp.h>
#include <utility>
#include <vector>

namespace layer {

struct Sequential {};
template <int Threads> struct Parallel {};
template <int Threads> struct Dynamic {};

struct Range {
  int begin, end;
};

template <class Body> void run(Sequential, Range r, Body &&body) {
  for (int i = r.begin; i < r.end; ++i)
    body(i);
}

template <int Threads, class Body>
void run(Parallel<Threads>, Range r, Body &&body) {
#pragma omp parallel num_threads(Threads)
  {
    auto mine = body;
#pragma omp for
    for (int i = r.begin; i < r.end; ++i)
      mine(i);
  }
}

template <int Threads, class Body>
void run(Dynamic<Threads>, Range r, Body &&body) {
#pragma omp parallel for num_threads(Threads) schedule(dynamic, 2)             \
    firstprivate(body)
  for (int i = r.begin; i < r.end; ++i)
    body(i);
}

template <class Policy, class Body> void forall(Range r, Body &&body) {
  run(Policy{}, r, std::forward<Body>(body));
}

// A copy for each thread; the last thing that it does is to add itself.
template <class T> class Sum {
public:
  explicit Sum(T start) : Parent(nullptr), Value(start) {}
  Sum(const Sum &o) : Parent(o.Parent ? o.Parent : &o), Value(0) {}
  ~Sum() {
    if (Parent) {
#pragma omp critical(layer_sum)
      const_cast<Sum *>(Parent)->Value += Value;
    }
  }
  const Sum &operator+=(T v) const {
    Value += v;
    return *this;
  }
  T get() const { return Value; }

private:
  const Sum *Parent;
  mutable T Value;
};

template <class T> struct View {
  T *p;
  int n, m;
  T &operator()(int i) const { return p[i]; }
  T &operator()(int i, int j) const { return p[i * m + j]; }
};

} // namespace layer

enum { Count = 9 };

template <class Policy> static double loops(const double *x, int n) {
  std::vector<double> storage(n), table(n * n);
  layer::View<const double> X{x, n, 1};
  layer::View<double> Y{storage.data(), n, 1}, T{table.data(), n, n};
  double scale = x[0];
  layer::forall<Policy>({0, n}, [=](int i) {
    Y(i) = X(i) * X((i + 1) % n) * scale;
    for (int j = 0; j < n; ++j)
      T(i, j) = std::sin(X(i)) * X(j);
  });
  layer::Sum<double> sum(0.0);
  layer::forall<Policy>({0, n}, [=](int i) {
    double t = 0;
    for (int j = 0; j < n; ++j)
      t += T(j, i) * Y(j);
    sum += t * t + Y(i);
  });
  layer::forall<layer::Sequential>({1, n},
                                   [=](int i) { Y(i) += 0.5 * Y(i - 1); });
  return sum.get() * scale + storage[n - 1];
}

#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4, 0.6, 0.2)
#define POLICY(NAME, ...)                                                      \
  extern "C" double NAME(const double *x, int n) {                             \
    return loops<layer::__VA_ARGS__>(x, n);                                    \
  }                                                                            \
  ADZE_TEST_ARRAY(NAME, Count, POINT, .flags = ADZE_UNORDERED)

POLICY(sequential, Sequential)
POLICY(parallel1, Parallel<1>)
POLICY(parallel2, Parallel<2>)
POLICY(parallel3, Parallel<3>)
POLICY(parallel8, Parallel<8>)
POLICY(dynamic2, Dynamic<2>)
POLICY(dynamic8, Dynamic<8>)
