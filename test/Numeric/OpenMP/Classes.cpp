// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Regions of C++: containers, lambdas, templates, members, virtual functions,
// reductions of classes.
#ifndef TEAMS
#include <array>
#include <vector>
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(vectors) {
  std::vector<double> y(n), z(x, x + n);
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = z[i] * z[n - 1 - i];
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (std::size_t i = 0; i < y.size(); ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(arrays) {
  std::array<double, 4> k{x[0], x[1], x[2], x[3]};
  std::array<double, Numbers> y;
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = k[i & 3] * x[i];
  double s = 0;
  for (double v : y)
    s += v * v;
  return s;
}
PROGRAM(arrayOfEach) {
  std::array<double, 3> k{x[0], x[1], x[2]};
  double s = 0;
  OMP(parallel for firstprivate(k) reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += k[i % 3] * x[i] * k[0];
  return s;
}
template <typename F> static void IN(forAll)(int n, F f) {
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    f(i);
}
PROGRAM(lambdas) {
  std::vector<double> y(n);
  const double k = x[0] * x[1];
  IN(forAll)(n, [&](int i) { y[i] = k * x[i] * x[(i + 1) % n]; });
  IN(forAll)(n / 2, [=, p = y.data()](int i) { p[2 * i] *= p[2 * i + 1]; });
  double s = 0;
  for (double v : y)
    s += v;
  return s;
}
template <typename F> static double IN(sumOf)(int n, F f) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += f(i);
  return s;
}
PROGRAM(policies) {
  const double mean = IN(sumOf)(n, [=](int i) { return x[i]; }) / n;
  return IN(sumOf)(n, [=](int i) { return (x[i] - mean) * (x[i] - mean); });
}
template <int K> struct IN(Power) {
  static double of(double v) { return v * IN(Power)<K - 1>::of(v); }
};
template <> struct IN(Power)<0> {
  static double of(double) { return 1; }
};
PROGRAM(templates) {
  double s = 0;
  OMP(parallel for reduction(+ : s) schedule(dynamic))
  for (int i = 0; i < n; ++i)
    s += IN(Power)<3>::of(x[i]) * x[0];
  return s;
}
class IN(Field) {
public:
  IN(Field)(const double *x, int n, double k) : values(x, x + n), k(k) {}
  void step() {
    OMP(parallel for)
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = values[i] * k + values[i] * values[i];
  }
  double energy() const {
    double s = 0;
    OMP(parallel for reduction(+ : s))
    for (std::size_t i = 0; i < values.size(); ++i)
      s += values[i] * values[i] * k;
    return s;
  }

private:
  std::vector<double> values;
  double k;
};
PROGRAM(members) {
  IN(Field) f(x, n, x[0]);
  for (int t = 0; t < 2; ++t)
    f.step();
  return f.energy();
}
struct IN(Vec) {
  double a = 0, b = 0;
  IN(Vec) & operator+=(const IN(Vec) & o) {
    a += o.a;
    b += o.b;
    return *this;
  }
};
OMP(declare reduction(+ : IN(Vec) : omp_out += omp_in))
PROGRAM(classes) {
  IN(Vec) v;
  OMP(parallel for reduction(+ : v))
  for (int i = 0; i < n; ++i)
    v += IN(Vec){x[i] * x[i], x[i] * x[0]};
  return v.a * v.b;
}
PROGRAM(references) {
  double s = 0, k = x[1];
  double &r = s, &f = k;
  OMP(parallel for reduction(+ : r))
  for (int i = 0; i < n; ++i)
    r += f * x[i];
  return s * s;
}
struct IN(Shape) {
  virtual ~IN(Shape)() = default;
  virtual double of(double v) const = 0;
};
struct IN(Bell) : IN(Shape) {
  double of(double v) const override { return std::exp(-v * v); }
};
struct IN(Line) : IN(Shape) {
  double of(double v) const override { return 2 * v; }
};
PROGRAM(virtuals) {
  const IN(Bell) bell;
  const IN(Line) line;
  const IN(Shape) *shapes[] = {&bell, &line};
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += shapes[i & 1]->of(x[i]) * x[0];
  return s;
}
PROGRAM(rows) {
  std::vector<std::vector<double>> y(4, std::vector<double>(6));
  OMP(parallel for)
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      y[i][j] = x[6 * i + j] * x[j];
  double s = 0;
  for (auto &row : y)
    for (double v : row)
      s += v * v;
  return s;
}
#endif
