// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state machine of a variant, visited (the library's visit calls a lambda
// with variable arguments that it never looks at); a matrix that is filled from
// lists, where an empty vector passes a null pointer; records whose vectors are
// empty when they are copied.
// ADZE: may-refuse=O2noalias
#include "check.h"
#include <initializer_list>
#include <stdexcept>
#include <variant>
#include <vector>

struct Idle {};
struct Heating {
  double power, time;
};
struct Cooling {
  double rate;
};
using State = std::variant<Idle, Heating, Cooling>;

template <class... T> struct Overloaded : T... {
  using T::operator()...;
};
template <class... T> Overloaded(T...) -> Overloaded<T...>;

extern "C" double machine(const double *x, int) {
  State s = Idle{};
  double t = x[0];
  for (int k = 0; k < 12; ++k)
    s = std::visit(
        Overloaded{[&](const Idle &) -> State { return Heating{x[1], 0}; },
                   [&](const Heating &h) -> State {
                     t += h.power * 0.1;
                     if (h.time > 0.35)
                       return Cooling{t * 0.5};
                     return Heating{h.power * x[2], h.time + 0.1};
                   },
                   [&](const Cooling &c) -> State {
                     t -= c.rate * 0.2 * x[3];
                     if (t < 0.2)
                       return Idle{};
                     return Cooling{c.rate * 0.8};
                   }},
        s);
  if (auto *h = std::get_if<Heating>(&s))
    t += h->power;
  if (auto *c = std::get_if<Cooling>(&s))
    t += c->rate * x[4];
  return t;
}
ADZE_TEST_ARRAY(machine, 5, ADZE_AT(0.3, 0.6, 0.8, 0.9, 1.0))

template <class T> class Matrix {
public:
  Matrix(size_t rows, size_t columns)
      : Rows(rows), Columns(columns), Data(rows * columns) {}
  Matrix(std::initializer_list<std::initializer_list<T>> lists)
      : Rows(lists.size()), Columns(lists.begin()->size()) {
    for (auto &row : lists)
      Data.insert(Data.end(), row.begin(), row.end());
  }
  T &operator()(size_t i, size_t j) {
    if (i >= Rows || j >= Columns)
      throw std::out_of_range("matrix");
    return Data[i * Columns + j];
  }
  const T &operator()(size_t i, size_t j) const {
    return Data.at(i * Columns + j);
  }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    if (a.Columns != b.Rows)
      throw std::invalid_argument("size");
    Matrix m(a.Rows, b.Columns);
    for (size_t i = 0; i < a.Rows; ++i)
      for (size_t j = 0; j < b.Columns; ++j)
        for (size_t k = 0; k < a.Columns; ++k)
          m(i, j) += a(i, k) * b(k, j);
    return m;
  }

private:
  size_t Rows, Columns;
  std::vector<T> Data;
};

extern "C" double product(const double *x, int) {
  Matrix<double> a{{x[0], x[1]}, {x[2], x[3]}};
  Matrix<double> r = a;
  for (int k = 0; k < 3; ++k)
    r = r * a;
  double s = r(0, 0) + x[4] * r(1, 0);
  try {
    (void)(r * Matrix<double>(3, 3));
  } catch (const std::invalid_argument &) {
    s *= x[4];
  }
  return s;
}
ADZE_TEST_ARRAY(product, 5, ADZE_AT(0.3, 0.6, 0.8, 0.9, 1.0))

struct Recorded {
  double v;
  std::vector<double> history;
};
extern "C" double recorded(const double *x, int n) {
  std::vector<Recorded> all;
  for (int i = 0; i < n; ++i) {
    Recorded r;
    r.v = x[i];
    all.push_back(r);
  }
  double s = 0;
  for (auto &r : all) {
    r.v *= r.v;
    r.history.push_back(r.v);
    s += r.history.back() * r.v;
  }
  return s;
}
ADZE_TEST_ARRAY(recorded, 5, ADZE_AT(0.3, 0.6, 0.8, 0.9, 1.0))
