// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of fft.h by hand. The Fourier matrix is symmetric, so the
// adjoint of the transform is the transform with conjugate factors: the same
// butterflies on the adjoint of the spectrum, a second transform and no tape.

#include "fft.h"

static void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}

static void reverse_bits(int n, double *data) {
  for (int i = 0, j = 0; i < n; i++) {
    if (i < j) {
      swap(data + 2 * i, data + 2 * j);
      swap(data + 2 * i + 1, data + 2 * j + 1);
    }
    int bit = n >> 1;
    for (; bit && (j & bit); bit >>= 1)
      j ^= bit;
    j |= bit;
  }
}

/// `sign` is 1 for the transform, and -1 for that with conjugate factors.
static inline void transform(int n, double *restrict data,
                             const double *restrict twiddle, double sign) {
  reverse_bits(n, data);
  for (int half = 1; half < n; half *= 2) {
    int stride = n / (2 * half);
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double wr = twiddle[2 * k * stride];
        double wi = sign * twiddle[2 * k * stride + 1];
        double *a = data + 2 * (start + k), *b = a + 2 * half;
        double re = wr * b[0] - wi * b[1], im = wr * b[1] + wi * b[0];
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
      }
  }
}

void fft_hand(int n, double *data, double *d_data, const double *twiddle,
              const double *target) {
  transform(n, data, twiddle, 1.0);
  for (int k = 0; k < n; k++) {
    double re = data[2 * k], im = data[2 * k + 1];
    double off = re * re + im * im - target[k];
    d_data[2 * k] += 4.0 * off * re;
    d_data[2 * k + 1] += 4.0 * off * im;
  }
  transform(n, d_data, twiddle, -1.0);
}
