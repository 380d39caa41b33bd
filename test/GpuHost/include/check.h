// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program here has f(x, n): numbers that the host has, a result that it gets
// back from the device. All that its derivatives should be is checked:
//
//   reverse mode against forward mode, exactly; both against differences;
//   a second gradient, and f, after the first one.
#ifndef ADZE_TEST_GPUHOST_CHECK_H
#define ADZE_TEST_GPUHOST_CHECK_H

#include <cuda_runtime.h>

#include <adze/gpu.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

template <class R, class... T> R __enzyme_autodiff(void *, T...);
template <class R, class... T> R __enzyme_fwddiff(void *, T...);
extern int enzyme_dup, enzyme_const;

inline bool close(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * (1 + std::fabs(a) + std::fabs(b));
}

#define CHECK(f, N, EXACT, ROUGH) CHECK_STEP(f, N, EXACT, ROUGH, 1e-5)
#define CHECK_STEP(f, N, EXACT, ROUGH, STEP)                                   \
  int main() {                                                                 \
    const int n = N;                                                           \
    std::vector<double> x(n), g(n), again(n), v(n), near(n);                   \
    for (int i = 0; i < n; ++i)                                                \
      x[i] = 1 + 0.5 * std::sin(i + 1.0);                                      \
    const double before = f(x.data(), n);                                      \
    __enzyme_autodiff<void>((void *)f, enzyme_dup, x.data(), g.data(),         \
                            enzyme_const, n);                                  \
    __enzyme_autodiff<void>((void *)f, enzyme_dup, x.data(), again.data(),     \
                            enzyme_const, n);                                  \
    bool good = close(before, f(x.data(), n), 1e-13);                          \
    double size = 0;                                                           \
    for (int i = 0; i < n; ++i) {                                              \
      good &= close(g[i], again[i], EXACT);                                    \
      size += std::fabs(g[i]);                                                 \
    }                                                                          \
    good &= size > 0;                                                          \
    for (int k = 0; k < 3; ++k) {                                              \
      double product = 0;                                                      \
      const double h = STEP;                                                   \
      for (int i = 0; i < n; ++i) {                                            \
        v[i] = std::cos(3 * i + k);                                            \
        product += g[i] * v[i];                                                \
      }                                                                        \
      const double tangent = __enzyme_fwddiff<double>(                         \
          (void *)f, enzyme_dup, x.data(), v.data(), enzyme_const, n);         \
      double sides[2];                                                         \
      for (int s : {0, 1}) {                                                   \
        for (int i = 0; i < n; ++i)                                            \
          near[i] = x[i] + (s ? h : -h) * v[i];                                \
        sides[s] = f(near.data(), n);                                          \
      }                                                                        \
      const double difference = (sides[1] - sides[0]) / (2 * h);               \
      const bool agrees =                                                      \
          close(product, tangent, EXACT) && close(tangent, difference, ROUGH); \
      if (!agrees)                                                             \
        std::printf("reverse %.17g forward %.17g differences %.17g\n",         \
                    product, tangent, difference);                             \
      good &= agrees;                                                          \
    }                                                                          \
    std::printf(good ? "agree\n" : "WRONG\n");                                 \
    return good ? 0 : 1;                                                       \
  }

#endif
