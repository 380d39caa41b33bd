// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of fft.h, in a header so that the file with the marker call sees
// it.

#ifndef ADZE_BENCHMARKS_FFT_FFT_OBJECTIVE_H
#define ADZE_BENCHMARKS_FFT_FFT_OBJECTIVE_H

static void fft_swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}

static void fft_reverse_bits(int n, double *data) {
  for (int i = 0, j = 0; i < n; i++) {
    if (i < j) {
      fft_swap(data + 2 * i, data + 2 * j);
      fft_swap(data + 2 * i + 1, data + 2 * j + 1);
    }
    int bit = n >> 1;
    for (; bit && (j & bit); bit >>= 1)
      j ^= bit;
    j |= bit;
  }
}

static void fft_transform(int n, double *restrict data,
                          const double *restrict twiddle) {
  fft_reverse_bits(n, data);
  for (int half = 1; half < n; half *= 2) {
    int stride = n / (2 * half);
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double wr = twiddle[2 * k * stride], wi = twiddle[2 * k * stride + 1];
        double *a = data + 2 * (start + k), *b = a + 2 * half;
        double re = wr * b[0] - wi * b[1], im = wr * b[1] + wi * b[0];
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
      }
  }
}

static double fft_objective(int n, double *restrict data,
                            const double *restrict twiddle,
                            const double *restrict target) {
  fft_transform(n, data, twiddle);
  double sum = 0.0;
  for (int k = 0; k < n; k++) {
    double re = data[2 * k], im = data[2 * k + 1];
    double off = re * re + im * im - target[k];
    sum += off * off;
  }
  return sum;
}

#endif
