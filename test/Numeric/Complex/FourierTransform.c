// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transform of eight complex numbers in place, by recursion on halves.
#include "check.h"
#include <complex.h>
#include <math.h>

static void transform(double complex *a, int n, int stride) {
  if (n == 1)
    return;
  transform(a, n / 2, 2 * stride);
  transform(a + stride, n / 2, 2 * stride);
  double complex t[8];
  for (int k = 0; k < n / 2; ++k) {
    double complex w = cexp(-2 * 3.14159265358979323846 * I * k / n);
    double complex e = a[2 * k * stride], o = a[(2 * k + 1) * stride];
    t[k] = e + w * o;
    t[k + n / 2] = e - w * o;
  }
  for (int k = 0; k < n; ++k)
    a[k * stride] = t[k];
}

double spectrum(const double *x, int n) {
  double complex a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = x[i] + x[n - 1 - i] * x[i] * I;
  transform(a, 8, 1);
  double s = 0;
  for (int i = 0; i < 8; ++i)
    s += (i + 1) * cabs(a[i]) * cabs(a[i]);
  return s;
}

ADZE_TEST_ARRAY(spectrum, 8, ADZE_AT(0.75, 1.125, -0.5, -0.7, 0.3, 0.2, 0.9, -0.1))
