// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tangents from a tape of what programs in C++ do: containers, virtual functions, lists, exceptions.
// ADZE: modes=forward
#include "check.h"
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>


double norm(const std::vector<double> &v) {
  std::vector<double> squares;
  for (double x : v)
    squares.push_back(x * x);
  double s = 0;
  for (double x : squares)
    s += std::sqrt(x + 1) * squares[0];
  return s;
}
struct Vector {
  double a[3];
  int n;
};
Vector turned(Vector v, double s) {
  for (int i = 0; i < v.n; i++)
    v.a[i] *= s * v.a[(i + 1) % 3];
  return v;
}
struct Shape {
  virtual double at(double) const = 0;
  virtual ~Shape() = default;
};
struct Square : Shape {
  double k;
  explicit Square(double k) : k(k) {}
  double at(double x) const override { return k * x * x; }
};
struct Growth : Shape {
  double at(double x) const override { return std::exp(x); }
};
double product(const Shape *s, double x) {
  std::unique_ptr<Shape> own(x > 0 ? static_cast<Shape *>(new Square(x)) : new Growth);
  return s->at(x) * own->at(x);
}
double apply(const std::function<double(double)> &f, double x) { return f(f(x)); }
struct Node {
  double v;
  Node *next;
};
double walk(double *x, int n) {
  Node *first = nullptr, end{x[0], nullptr};
  for (int i = 0; i < n; i++)
    first = new Node{x[i] * x[i], first ? first : &end};
  double s = 0;
  while (first != &end) {
    s = s * 0.5 + first->v;
    x[0] += first->v;
    Node *old = first;
    first = first->next;
    delete old;
  }
  return s * x[0] + end.v;
}
__attribute__((noinline)) double checked(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return std::sqrt(x) * x;
}
double caught(double x, double y) {
  double r = 1;
  try {
    r += checked(x);
    r *= checked(y);
  } catch (const std::domain_error &) {
    r *= x * y;
  }
  return r;
}
double power(double x, int n) { return n == 0 ? x : x * power(x + 1, n - 1); }
double kept = 1;
double by_global(double x) {
  kept *= x;
  double r = kept * x;
  kept = 1;
  return r;
}


#if ADZE_FORWARD
template <typename R, typename... A> R __enzyme_augmentfwd(void *, A...);
template <typename R, typename... A> R __enzyme_fwdsplit(void *, A...);
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);

ADZE_TEST_FORWARD(objects) {
  std::vector<double> v{1, 2, 3}, dv{1, 0, 1};
  double want = __enzyme_fwddiff<double>((void *)norm, enzyme_dup, &v, &dv);
  void *tape = __enzyme_augmentfwd<void *>((void *)norm, enzyme_dup, &v, &dv);
  v[0] = v[1] = v[2] = 0;
  adze_near("vector", __enzyme_fwdsplit<double>((void *)norm, enzyme_dup, &v, &dv, tape), want, 1e-14);

  Vector a{{1, 2, 3}, 3}, da{{1, 1, 1}, 0};
  tape = __enzyme_augmentfwd<void *>((void *)turned, enzyme_dup, a, da, enzyme_dup, 4.0, 1.0);
  Vector r = __enzyme_fwdsplit<Vector>((void *)turned, enzyme_dup, a, da, enzyme_dup, 4.0, 1.0, tape);
  Vector e = __enzyme_fwddiff<Vector>((void *)turned, enzyme_dup, a, da, enzyme_dup, 4.0, 1.0);
  for (int i = 0; i < 3; i++)
    adze_near("structure", r.a[i], e.a[i], 1e-14);

  Square s(2), ds(0.5);
  want = __enzyme_fwddiff<double>((void *)product, enzyme_dup, &s, &ds, enzyme_dup, 3.0, 1.0);
  tape = __enzyme_augmentfwd<void *>((void *)product, enzyme_dup, &s, &ds, enzyme_dup, 3.0, 1.0);
  s.k = 7;
  adze_near("virtual", __enzyme_fwdsplit<double>((void *)product, enzyme_dup, &s, &ds, enzyme_dup, 3.0, 1.0, tape),
            want, 1e-14);

  double k = 1.5;
  std::function<double(double)> f = [&k](double x) { return std::sin(x) * k; };
  want = __enzyme_fwddiff<double>((void *)apply, enzyme_const, &f, enzyme_dup, 0.5, 1.0);
  tape = __enzyme_augmentfwd<void *>((void *)apply, enzyme_const, &f, enzyme_out, 0.5);
  k = 9;
  adze_near("function", __enzyme_fwdsplit<double>((void *)apply, enzyme_const, &f, enzyme_dup, 0.5, 1.0, tape),
            want, 1e-14);
}

ADZE_TEST_FORWARD(control) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {1, 0, 2, 1}, y[4] = {1, 2, 3, 4}, dy[4] = {1, 0, 2, 1};
  double want = __enzyme_fwddiff<double>((void *)walk, enzyme_dup, y, dy, enzyme_const, 4);
  void *tape = __enzyme_augmentfwd<void *>((void *)walk, enzyme_dup, x, dx, enzyme_const, 4);
  adze_near("primal", x[0], y[0], 0);
  x[0] = 0;
  adze_near("list", __enzyme_fwdsplit<double>((void *)walk, enzyme_dup, x, dx, enzyme_const, 4, tape), want, 1e-14);
  adze_near("list", dx[0], dy[0], 1e-14);

  for (double other : {2.0, -2.0}) {
    want = __enzyme_fwddiff<double>((void *)caught, 1.5, 1.0, other, 0.5);
    tape = __enzyme_augmentfwd<void *>((void *)caught, 1.5, other);
    adze_near("exception", __enzyme_fwdsplit<double>((void *)caught, 1.5, 1.0, other, 0.5, tape), want, 1e-14);
  }
  want = __enzyme_fwddiff<double>((void *)power, enzyme_dup, 1.5, 1.0, enzyme_const, 4);
  tape = __enzyme_augmentfwd<void *>((void *)power, enzyme_dup, 1.5, 1.0, enzyme_const, 4);
  adze_near("recursion", __enzyme_fwdsplit<double>((void *)power, enzyme_dup, 1.5, 1.0, enzyme_const, 4, tape),
            want, 1e-14);
  tape = __enzyme_augmentfwd<void *>((void *)by_global, 2.0);
  kept = 7;
  adze_near("global", __enzyme_fwdsplit<double>((void *)by_global, 2.0, 1.0, tape), 4, 0);
  kept = 1;
}
#endif
