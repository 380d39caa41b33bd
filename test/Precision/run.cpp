// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function in single precision is the one that is written with floats:
// callees, recursion, loops, memory, conversions, functions of the library,
// vectors and objects. It is differentiated as any other one.
//
// RUN: %clangxx -O0 -ffp-contract=off %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O1 -ffp-contract=off %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O2 -ffp-contract=off %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O3 -ffp-contract=off %adze %s -o %t && %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <vector>

template <typename F> F *__enzyme_truncate_op_func(F *, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int);
template <typename F> F *__enzyme_truncate_func(F *, int, int, int);
extern double __enzyme_truncate_mem_value(...);
extern double __enzyme_expand_mem_value(...);
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

template <typename T> struct Sum {
  T total = 0;
  void add(T x) { total += x; }
};

template <typename T> T power(T x, int n) {
  return n == 0 ? T(1) : x * power(x, n - 1);
}

template <typename T> T apply(T (*f)(T), T x) { return f(x); }

template <typename T> T everything(T x, int n) {
  std::vector<T> terms(n);
  for (int i = 0; i < n; ++i)
    terms[i] = std::sin(x * T(i)) / T(i + 1) + std::pow(x, T(i % 3));
  Sum<T> s;
  for (T t : terms)
    s.add(std::fabs(t) < T(1e-3) ? -t : std::sqrt(std::fabs(t)));
  return std::fma(s.total, x, power(x, 3)) + std::fmod(s.total, T(0.7)) +
         T(int(s.total)) + std::ldexp(x, 2) + std::exp(std::fmin(x, T(1)));
}

template <typename T> void scale(T *x, int n, T by) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * by + T(1) / T(3);
}

typedef double Four __attribute__((vector_size(32)));
typedef float FourFloats __attribute__((vector_size(16)));
static double lanes(double x) {
  Four v = {x, x * x, 1 / x, 3};
  v = v * v + v / 3;
  return v[0] + v[1] + v[2] * v[3];
}
static float lanesOfFloats(float x) {
  FourFloats v = {x, x * x, 1 / x, 3};
  v = v * v + v / 3;
  return v[0] + v[1] + v[2] * v[3];
}

static double copies(const double *x) { return x[0]; }
static double cube(double x) { return x * x * x; }
static double outer(double x) {
  return x * __enzyme_truncate_op_func(cube, 64, 32)(x);
}

int main() {
  int wrong = 0;
  for (double x = 0.1; x < 2; x += 0.17) {
    float f = float(x);
    double got = __enzyme_truncate_op_func(everything<double>, 64, 32)(f, 20);
    wrong += got != double(everything<float>(f, 20));
    wrong += __enzyme_truncate_func(everything<double>, 64, 8, 23)(x, 20) != got;
    wrong += __enzyme_truncate_op_func(lanes, 64, 32)(x) !=
             double(lanesOfFloats(f));
  }
  // CHECK: wrong: 0
  std::printf("wrong: %d\n", wrong);

  // Memory, converted where it comes in and goes out.
  double x[4] = {1.1, 2.2, 3.3, 4.4};
  float y[4] = {1.1f, 2.2f, 3.3f, 4.4f};
  for (double &e : x)
    e = __enzyme_truncate_mem_value(e, 64, 32);
  __enzyme_truncate_mem_func(scale<double>, 64, 32)(
      x, 4, __enzyme_truncate_mem_value(0.1, 64, 32));
  scale<float>(y, 4, 0.1f);
  for (int i = 0; i < 4; ++i)
    wrong += __enzyme_expand_mem_value(x[i], 64, 32) != double(y[i]);
  double third = 1.0 / 3;
  // What is only moved stays as it is, or, in memory, is narrow.
  wrong += __enzyme_truncate_op_func(copies, 64, 32)(&third) != third;
  wrong += __enzyme_truncate_mem_func(copies, 64, 32)(&third) !=
           double(float(third));
  // CHECK-NEXT: wrong: 0
  std::printf("wrong: %d\n", wrong);

  // d(x^3): 3 x^2 at 1.5. Half precision: derivative of a rounding is one.
  double dx = __enzyme_autodiff((void *)__enzyme_truncate_op_func(cube, 64, 32), 1.5);
  double dh = __enzyme_fwddiff((void *)__enzyme_truncate_op_func(cube, 64, 16), 1.5, 1.0);
  double dr = __enzyme_autodiff((void *)__enzyme_truncate_func(cube, 64, 8, 7), 1.5);
  double both = __enzyme_autodiff((void *)outer, 1.5);
  // CHECK-NEXT: 6.75 6.75 6.75 13.5
  std::printf("%g %g %g %g\n", dx, dh, dr, both);
  return 0;
}
