// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in single precision that sort and search by comparisons of their own, keep data in containers of the
// library, and sum by atomic operations: what they compare and add is narrow, too. They are differentiated.
//
// RUN: %clangxx -O0 -ffp-contract=off %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O2 -ffp-contract=off %adze %s -o %t && %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>

template <typename F> F *__enzyme_truncate_op_func(F *, int, int, ...);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int);
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

// In single precision 1 + 1e-9 x is 1: all are equal, and nothing moves.
template <typename T> int compare(const void *a, const void *b) {
  T x = T(1) + *(const T *)a * T(1e-9), y = T(1) + *(const T *)b * T(1e-9);
  return x < y ? -1 : x > y;
}
template <typename T> T sorted(T *x, int n) {
  std::qsort(x, n, sizeof(T), compare<T>);
  T key = 2;
  void *found = std::bsearch(&key, x, n, sizeof(T), compare<T>);
  T sum = found ? 1 : 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * T(i) / T(3);
  return sum;
}

template <typename T> T contained(T *x, int n) {
  std::map<T, T> m;
  std::list<T> l;
  for (int i = 0; i < n; ++i) {
    m[x[i] / T(3)] += x[i] * x[i];
    l.push_front(x[i] / T(7));
  }
  T sum = 0;
  for (auto &e : m)
    sum = sum / T(3) + e.first * e.second;
  for (T e : l)
    sum = sum * e + e;
  return sum;
}

template <typename T> T added(T *x, int n) {
  T sum = 0, least = 1;
  for (int i = 0; i < n; ++i) {
    T old = __atomic_fetch_add(&sum, x[i] / T(3), __ATOMIC_SEQ_CST);
    __atomic_fetch_sub(&sum, old * x[i] / T(9), __ATOMIC_RELAXED);
#pragma clang loop unroll(disable)
    for (int k = 0; k < 1; ++k)
      __atomic_fetch_min(&least, x[i] / T(7), __ATOMIC_RELAXED);
  }
  return sum * least;
}

using Function = double(double *, int);
static double differences(Function *f, const double *x, int i) {
  const double h = 1e-3;
  double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
  a[i] += h, b[i] -= h;
  return (f(a, 3) - f(b, 3)) / (2 * h);
}

int main() {
  const double x[3] = {3.1, 1.2, 2.3};
  int wrong = 0;
  auto check = [&](float (*g)(float *, int), Function *narrow, Function *memory) {
    double a[3], b[3];
    float c[3];
    for (int i = 0; i < 3; ++i)
      a[i] = b[i] = c[i] = float(x[i]);
    float wanted = g(c, 3);
    wrong += narrow(a, 3) != double(wanted);
    wrong += memory(b, 3) != double(wanted);
    for (int i = 0; i < 3; ++i)
      wrong += a[i] != c[i];
  };
  check(sorted<float>, __enzyme_truncate_op_func(sorted<double>, 64, 32),
        __enzyme_truncate_mem_func(sorted<double>, 64, 32));
  check(contained<float>, __enzyme_truncate_op_func(contained<double>, 64, 32),
        __enzyme_truncate_mem_func(contained<double>, 64, 32));
  check(added<float>, __enzyme_truncate_op_func(added<double>, 64, 32),
        __enzyme_truncate_mem_func(added<double>, 64, 32));
  // CHECK: wrong: 0
  std::printf("wrong: %d\n", wrong);

  double y[3] = {3.1, 1.2, 2.3}, d[3] = {0}, e[3] = {1, 0, 0};
  __enzyme_autodiff((void *)__enzyme_truncate_op_func(added<double>, 64, 32), enzyme_dup, y, d, enzyme_const, 3);
  double t = __enzyme_fwddiff((void *)__enzyme_truncate_op_func(added<double>, 64, 32), enzyme_dup, y, e,
                              enzyme_const, 3);
  wrong += std::fabs(t - d[0]) > 1e-6;
  for (int i = 0; i < 3; ++i)
    wrong += !(std::fabs(d[i] - differences(added<double>, y, i)) < 1e-5);
  // Nothing was moved: the slopes are those of the places.
  double s[3] = {0};
  __enzyme_autodiff((void *)__enzyme_truncate_op_func(sorted<double>, 64, 32), enzyme_dup, y, s, enzyme_const, 3);
  for (int i = 0; i < 3; ++i)
    wrong += !(std::fabs(s[i] - 2 * x[i] * i / 3) < 1e-5);
  // CHECK: wrong: 0
  std::printf("wrong: %d\n", wrong);
  return 0;
}
