// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y_i = sum over k of w_k x_(i+k), a filter of 24 taps over n numbers; the
// inputs are the signal, n + 23 numbers, then the filter. Adjoint: dx_(i+k) +=
// w_k y_i, dw_k += y_i x_(i+k).

#include "common/forms.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int taps = 24, max_n = 30000;

size_t inputs(int n) { return size_t(n) + 2 * taps - 1; }

void hand(int n, const int *, const double *x, double *__restrict d_x) {
  const double *w = x + n + taps - 1;
  std::vector<double> output(n);
  double *__restrict y = output.data();
  for (int k = 0; k < taps; k++)
    for (int i = 0; i < n; i++)
      y[i] += w[k] * x[i + k];
  for (int k = 0; k < taps; k++) {
    double sums[8] = {};
    int i = 0;
    for (; i + 8 <= n; i += 8)
      for (int l = 0; l < 8; l++) {
        sums[l] += y[i + l] * x[i + l + k];
        d_x[i + l + k] += w[k] * y[i + l];
      }
    for (; i < n; i++) {
      sums[0] += y[i] * x[i + k];
      d_x[i + k] += w[k] * y[i];
    }
    for (double sum : sums)
      d_x[n + taps - 1 + k] += sum;
  }
}

} // namespace

COMPUTATION = {"convolution", 30000,   60,      inputs,
               nullptr,       nullptr, nullptr, hand};

FORM(sum_in_register, double, n) {
  const double *w = x + n + taps - 1;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = 0; k < taps; k++)
      sum += w[k] * x[i + k];
    work[i] = sum;
  }
  return half_squares(n, work);
}

FORM(sum_in_memory, double, n) {
  const double *w = x + n + taps - 1;
  for (int i = 0; i < n; i++) {
    work[i] = 0.0;
    for (int k = 0; k < taps; k++)
      work[i] += w[k] * x[i + k];
  }
  return half_squares(n, work);
}

FORM(taps_outside, double, n) {
  const double *w = x + n + taps - 1;
  memset(work, 0, n * sizeof *work);
  for (int k = 0; k < taps; k++)
    for (int i = 0; i < n; i++)
      work[i] += w[k] * x[i + k];
  return half_squares(n, work);
}

static void filter(size_t n, size_t count, const double *__restrict x,
                   const double *__restrict w, double *__restrict y) {
  for (size_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
      sum += w[k] * x[i + k];
    y[i] = sum;
  }
}

FORM(restrict_size_t, double, n) {
  filter(n, taps, x, x + n + taps - 1, work);
  return half_squares(n, work);
}

FORM(scattered, double, n) {
  const double *w = x + n + taps - 1;
  std::fill(work, work + n, 0.0);
  for (int j = 0; j < n + taps - 1; j++)
    for (int k = 0; k < taps; k++)
      if (j - k >= 0 && j - k < n)
        work[j - k] += w[k] * x[j];
  return half_squares(n, work);
}

FORM(vectors, double, 0) {
  std::vector<double> signal(x, x + n + taps - 1), y;
  std::vector<double> w(x + n + taps - 1, x + n + 2 * taps - 1);
  y.reserve(n);
  for (size_t i = 0; i < size_t(n); i++) {
    double sum = 0.0;
    for (size_t k = 0; k < w.size(); k++)
      sum += w[k] * signal[i + k];
    y.push_back(sum);
  }
  return half_squares(y.size(), y.data());
}

FORM(filter_copied_to_stack, double, 0) {
  static double y[max_n];
  double w[taps];
  for (int k = 0; k < taps; k++)
    w[k] = x[n + taps - 1 + k];
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int k = 0; k < taps; k++)
      y[i] += w[k] * x[i + k];
  }
  return half_squares(n, y);
}

static double one(const double *x, const double *w, unsigned count) {
  double sum = 0.0;
  while (count--)
    sum += *w++ * *x++;
  return sum;
}

FORM(function_with_cursors, double, 0) {
  double value = 0.0;
  for (int i = 0; i < n; i++) {
    double y = one(x + i, x + n + taps - 1, taps);
    value += y * y;
  }
  return 0.5 * value;
}

FORM(window_shifted, double, n) {
  const double *w = x + n + taps - 1;
  double window[taps];
  for (int k = 0; k < taps - 1; k++)
    window[k + 1] = x[k];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < taps - 1; k++)
      window[k] = window[k + 1];
    window[taps - 1] = x[i + taps - 1];
    double sum = 0.0;
    for (int k = 0; k < taps; k++)
      sum += w[k] * window[k];
    work[i] = sum;
  }
  return half_squares(n, work);
}

FORM(sum_in_register_float, float, n) {
  const float *w = x + n + taps - 1;
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int k = 0; k < taps; k++)
      sum += w[k] * x[i + k];
    work[i] = sum;
  }
  return half_squares_single(n, work);
}
