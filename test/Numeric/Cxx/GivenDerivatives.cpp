// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that the program registers, in C++: of functions in namespaces,
// of one that is only declared, of what has no rule, and by address.
#include "check.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

// The lowest bit of a float is a mark: no rule knows that.
double marked(double x, int k) {
  unsigned long bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits ^= static_cast<unsigned long>(k & 1);
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
struct Kept {
  void *tape;
  double result;
};
Kept augmentedMarked(double x, int k) { return {nullptr, marked(x, k)}; }
double reverseMarked(double, int k, double adjoint, void *) { return adjoint * (k + 1); }
double forwardMarked(double, double dx, int k) { return dx * (k + 1); }

struct Line {
  double slope;
};
double valueOf(const Line &l, double x) { return l.slope * x; }
double augmentedValueOf(const Line &l, Line &, double x) { return valueOf(l, x); }
double reverseValueOf(const Line &l, Line &dl, double x, double adjoint) {
  dl.slope += 10 * x * adjoint;
  return 10 * l.slope * adjoint;
}
double forwardValueOf(const Line &l, const Line &dl, double x, double dx) {
  return 10 * (l.slope * dx + dl.slope * x);
}

} // namespace

static void *__enzyme_register_gradient_marked[] __attribute__((used)) = {
    (void *)marked, (void *)augmentedMarked, (void *)reverseMarked};
static void *__enzyme_register_derivative_marked[] __attribute__((used)) = {
    (void *)marked, (void *)forwardMarked};
void *__enzyme_register_gradient_line[] = {(void *)valueOf, (void *)augmentedValueOf,
                                           (void *)reverseValueOf};
void *__enzyme_register_derivative_line[] = {(void *)valueOf, (void *)forwardValueOf};

static double apply(double (*f)(double, int), double x, int k) { return f(x, k); }

double program(const double *x, int n) {
  std::vector<double> v(x, x + n);
  double sum = 0;
  int i = 0;
  for (double &e : v) {
    if (e > 100)
      break;
    e = marked(e * x[0], i++);
    sum += e;
  }
  sum += apply(marked, x[1], 4);
  Line l{x[2]};
  return sum + valueOf(l, x[1]);
}

static void gradient(const double *x, double *J) {
  J[0] = 2 * x[0] + 2 * x[1] + 3 * x[2];
  J[1] = 2 * x[0] + 5 + 10 * x[2];
  J[2] = 3 * x[0] + 10 * x[1];
}
ADZE_TEST_ARRAY(program, 3, ADZE_AT(1.1, 2.2, 3.3), .jacobian = gradient,
                .flags = ADZE_NO_DIFFERENCES)

// Functions that write memory.
namespace {
// A vector of its own.
__attribute__((noinline)) void smooth(double *u, int n) {
  std::vector<double> t(u, u + n);
  for (int i = 1; i + 1 < n; i++)
    u[i] = .25 * t[i - 1] + .5 * t[i] + .25 * t[i + 1];
}
void augSmooth(double *u, double *, int n) { smooth(u, n); }
void revSmooth(double *, double *du, int n) {
  std::vector<double> t(n);
  for (int i = 1; i + 1 < n; i++) {
    t[i - 1] += .25 * du[i];
    t[i] += .5 * du[i];
    t[i + 1] += .25 * du[i];
    du[i] = 0;
  }
  for (int i = 0; i < n; i++)
    du[i] += t[i];
}
void fwdSmooth(double *u, double *du, int n) {
  smooth(u, n);
  smooth(du, n);
}
// By reference, and what may throw.
struct State {
  std::array<double, 4> a;
  int calls;
  double &at(int i) { return a.at(i); }
};
__attribute__((noinline)) void step(State &s, double h) {
  s.calls++;
  for (int i = 0; i < 4; i++)
    s.at(i) = s.at(i) * h + i;
  std::swap(s.a[0], s.a[3]);
}
struct Tape {
  std::array<double, 4> old;
};
Tape augStep(State &s, State &, double h) {
  Tape t{s.a};
  step(s, h);
  return t;
}
double revStep(State &, State &ds, double h, Tape t) {
  std::swap(ds.a[0], ds.a[3]);
  double dh = 0;
  for (int i = 0; i < 4; i++) {
    dh += ds.a[i] * t.old[i];
    ds.a[i] *= h;
  }
  return dh;
}
void fwdStep(State &s, State &ds, double h, double dh) {
  for (int i = 0; i < 4; i++)
    ds.a[i] = ds.a[i] * h + s.a[i] * dh;
  std::swap(ds.a[0], ds.a[3]);
  step(s, h);
}
// Functions that call themselves.
__attribute__((noinline)) void sorted(double *u, int n, double &sum) {
  std::sort(u, u + n);
  sum = std::accumulate(u, u + n, 0.0);
}
struct Perm {
  int p[4];
};
Perm augSorted(double *u, double *, int n, double &sum, double &) {
  Perm p;
  for (int i = 0; i < 4; i++)
    p.p[i] = i;
  std::sort(p.p, p.p + n, [&](int a, int b) { return u[a] < u[b]; });
  sorted(u, n, sum);
  return p;
}
void revSorted(double *, double *du, int n, double &, double &ds, Perm p) {
  double t[4];
  for (int i = 0; i < n; i++)
    t[p.p[i]] = du[i] + ds;
  for (int i = 0; i < n; i++)
    du[i] = t[i];
  ds = 0;
}
} // namespace
void *__enzyme_register_gradient_smooth[] = {(void *)smooth, (void *)augSmooth,
                                             (void *)revSmooth};
void *__enzyme_register_derivative_smooth[] = {(void *)smooth,
                                               (void *)fwdSmooth};
void *__enzyme_register_gradient_step[] = {(void *)step, (void *)augStep,
                                           (void *)revStep};
void *__enzyme_register_derivative_step[] = {(void *)step, (void *)fwdStep};
void *__enzyme_register_gradient_sorted[] = {(void *)sorted, (void *)augSorted,
                                             (void *)revSorted};
void writers(const double *x, double *y) {
  State s{{x[0], x[1], x[2], x[0] * x[1]}, 0};
  double v[4] = {x[0], x[2], x[1], x[0] * x[2]}, sum;
  for (int k = 0; k < 3; k++) {
    step(s, x[2]);
    smooth(v, 4);
    smooth(s.a.data(), 4);
  }
  sorted(v, 4, sum);
  y[0] = s.a[0] * s.a[1] + s.a[2] * sum + v[3];
  y[1] = s.a[3] * s.calls + v[0] * v[1];
}
ADZE_TEST_MAP(writers, 3, 2, ADZE_AT(0.7, 1.2, 0.9))

// A call that an exception ends keeps nothing, and is not reversed.
namespace {
int reversed;
double limited(double x) {
  if (x > 1)
    throw x;
  return x;
}
struct Tracked {
  double *tape;
  double result;
};
Tracked augmentedLimited(double x) {
  double r = limited(x);
  return {new double(x), r};
}
double reverseLimited(double x, double adjoint, double *tape) {
  ++reversed;
  const double slope = *tape == x ? 7 : 0;
  delete tape;
  return slope * adjoint;
}

struct WithTangent {
  double result, tangent;
};
WithTangent forwardLimited(double x, double dx) {
  return {limited(x), 7 * dx};
}
} // namespace
void *__enzyme_register_gradient_limited[] = {(void *)limited, (void *)augmentedLimited,
                                              (void *)reverseLimited};
void *__enzyme_register_derivative_limited[] = {(void *)limited, (void *)forwardLimited};

double caught(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    try {
      sum += limited(x[i]);
      sum += limited(x[i] + 0.75);
    } catch (double thrown) {
      sum += 3 * x[i];
    }
  return sum;
}
static void slopes(const double *, double *J) { J[0] = 7 + 7, J[1] = 7 + 3, J[2] = 3; }
ADZE_TEST_ARRAY(caught, 3, ADZE_AT(0.125, 0.5, 1.5), .jacobian = slopes,
                .flags = ADZE_NO_DIFFERENCES)

#if ADZE_REVERSE
extern void __enzyme_autodiff_a(void *, ...);
extern int enzyme_dup, enzyme_const;
ADZE_TEST_REVERSE(eachThatReturned) {
  double x[] = {0.125, 0.5, 1.5}, dx[3] = {};
  reversed = 0;
  __enzyme_autodiff_a((void *)caught, enzyme_dup, x, dx, enzyme_const, 3);
  adze_near("reverse calls", reversed, 3, 0);
  adze_near("last", dx[2], 3, 0);
}
#endif
