// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::function with captures of all sizes, kept, copied, moved and swapped:
// the same bytes are an active number, a pointer to the heap, or the address of
// a variable. Types see one of these only, so the run tells them apart.
#include "check.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

extern "C" double pipeline(const double *x, int n) {
  std::vector<std::function<double(double)>> pipe;
  for (int i = 0; i < n; ++i) {
    double a = x[i];
    if (i % 3 == 0)
      pipe.push_back([a](double t) { return t * a; });
    else if (i % 3 == 1)
      pipe.emplace_back([a, i, b = a * a](double t) { return t + b * i + a; });
    else
      pipe.emplace_back([&x, i](double t) { return std::sin(t) * x[i]; });
  }
  double r = 1;
  for (auto &p : pipe)
    r = p(r);
  auto compose = [](std::function<double(double)> f,
                    std::function<double(double)> g) {
    return [f, g](double t) { return g(f(t)); };
  };
  std::function<double(double)> h = compose(pipe[0], pipe[1]);
  h = compose(h, pipe[2]);
  std::swap(pipe[0], pipe[1]);
  return r + h(x[3]) * pipe[1](r) + pipe[0](x[4]);
}
ADZE_TEST_ARRAY(pipeline, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

template <class... A> class Signal {
public:
  int connect(std::function<void(A...)> f) {
    Slots.emplace_back(Next, std::move(f));
    return Next++;
  }
  void disconnect(int id) {
    Slots.erase(std::remove_if(Slots.begin(), Slots.end(),
                               [id](auto &s) { return s.first == id; }),
                Slots.end());
  }
  void emit(A... a) {
    for (auto &s : Slots)
      s.second(a...);
  }

private:
  std::vector<std::pair<int, std::function<void(A...)>>> Slots;
  int Next = 0;
};

extern "C" double signals(const double *x, int n) {
  Signal<double, int> changed;
  double sum = 0, product = 1;
  auto history = std::make_shared<std::vector<double>>();
  int id = changed.connect([&sum](double d, int k) { sum += d * k; });
  changed.connect(
      [&product, w = x[0]](double d, int) { product *= 1 + w * d * 0.1; });
  changed.connect([history](double d, int) { history->push_back(d * d); });
  for (int i = 0; i < n; ++i) {
    changed.emit(x[i], i);
    if (i == 2)
      changed.disconnect(id);
  }
  double s = 0;
  for (double d : *history)
    s += d;
  return s * sum + product;
}
ADZE_TEST_ARRAY(signals, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
