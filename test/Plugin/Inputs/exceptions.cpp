// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C++ file without markers: exceptions through several frames, destructors,
// thread-local objects, virtual calls, templates, static initialization.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Trace {
  std::string Name;
  explicit Trace(std::string N) : Name(std::move(N)) {}
  ~Trace() { std::cout << "leaves " << Name << "\n"; }
};

thread_local Trace PerThread("thread");
const std::map<std::string, double> Table = {{"pi", 3.14159}, {"e", 2.71828}};

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Disc : Shape {
  double R;
  explicit Disc(double R) : R(R) {}
  double area() const override { return Table.at("pi") * R * R; }
};
struct Box : Shape {
  double W, H;
  Box(double W, double H) : W(W), H(H) {
    if (W < 0 || H < 0)
      throw std::invalid_argument("negative");
  }
  double area() const override { return W * H; }
};

double lookup(const std::string &Key) {
  Trace T(Key);
  return Table.at(Key);
}

template <typename T, typename F> T fold(const std::vector<T> &V, T Init, F Op) {
  for (const T &X : V)
    Init = Op(Init, X);
  return Init;
}

} // namespace

int main(int argc, char **) {
  std::vector<std::unique_ptr<Shape>> Shapes;
  Shapes.push_back(std::make_unique<Disc>(argc));
  try {
    Shapes.push_back(std::make_unique<Box>(2, -argc));
  } catch (const std::invalid_argument &E) {
    std::cerr << E.what() << "\n";
  }
  std::vector<double> Areas;
  for (const auto &S : Shapes)
    Areas.push_back(S->area());
  std::sort(Areas.begin(), Areas.end(), std::greater<>());
  double Sum = fold(Areas, 0.0, [](double A, double B) { return A + B; });
  try {
    Sum += lookup(argc > 1 ? "none" : "e");
  } catch (const std::out_of_range &) {
    PerThread.Name += " failed";
    if (argc > 2)
      throw;
  }
  std::cout << Sum << "\n";
  return 0;
}
