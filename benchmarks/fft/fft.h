// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fast Fourier transform in place: decimation in time with radix 2, bit
// reversal first, twiddle factors from a table. The objective is the distance
// of the power spectrum to an observed one,
//
//   f = sum_k (|X_k|^2 - target_k)^2.
//
// The transform is linear, and its factors do not depend on the data: a
// gradient needs no tape, only the spectrum, which is still there.
//
//   data      n complex numbers, real and imaginary parts in turn, n a power
//             of two; overwritten by the spectrum
//   twiddle   n/2 complex numbers, exp(-2 pi i k / n)
//   target    n
//
// The gradient is *added* to d_data, zero on entry. What data holds after a
// gradient is not specified.

#ifndef ADZE_BENCHMARKS_FFT_FFT_H
#define ADZE_BENCHMARKS_FFT_FFT_H

double fft_primal(int n, double *data, const double *twiddle,
                  const double *target);

void fft_hand(int n, double *data, double *d_data, const double *twiddle,
              const double *target);

void fft_generated(int n, double *data, double *d_data, const double *twiddle,
                   const double *target);

#endif
