// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors at two places of one block, which overlap or not: by the size that is
// handed over, and by a size that is computed. What one version reads again must
// not be what the other vector has overwritten.
#include "check.h"

#define APART __attribute__((noinline)) static

// b begins somewhere behind a, or in it, or in front of it.
APART void product(double *work, const double *w, int n, int behind) {
  double *a = work, *b = work + behind;
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < n; ++i) {
      b[i] = 0;
      for (int j = 0; j < n; ++j)
        b[i] += w[i * n + j] * a[j];
    }
    for (int i = 0; i < n; ++i)
      a[i] = b[i] * b[i] + w[i];
  }
}
void places(const double *in, double *out) {
  double w[9], block[12];
  for (int i = 0; i < 9; ++i)
    w[i] = 0.25 * in[i % 3] * (i % 4 - 1.5);
  for (int behind = -3; behind < 5; ++behind) {
    for (int i = 0; i < 12; ++i)
      block[i] = in[i % 3] + 0.0625 * i;
    product(block + 3, w, 3, behind);
    for (int i = 0; i < 12; ++i)
      out[12 * (behind + 3) + i] = block[i];
  }
}
ADZE_TEST_MAP(places, 3, 96, ADZE_AT(0.5, 0.25, -0.75))

// Rows and columns of a square of part * part, and its square behind it. The
// halves of odd numbers, too.
APART void squares(double *work, int n, int gap) {
  int m = n / 2;
  double *a = work, *b = work + m * m - gap;
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        double s = 0;
        for (int k = 0; k < m; ++k)
          s += a[i * m + k] * a[k * m + j];
        b[i * m + j] = s;
      }
    for (int i = 0; i < m * m; ++i)
      a[i] = 0.5 * b[i];
  }
}
void powers(const double *in, double *out) {
  for (int gap = -1; gap < 4; ++gap)
    for (int n = 3; n < 6; n += 2) {
      double block[10];
      for (int i = 0; i < 10; ++i)
        block[i] = in[i % 3] + 0.125 * i;
      squares(block, n, n == 3 ? gap > 1 ? 1 : gap : gap);
      for (int i = 0; i < 10; ++i)
        out[(gap + 1) * 20 + (n / 2 - 1) * 10 + i] = block[i];
    }
}
ADZE_TEST_MAP(powers, 3, 100, ADZE_AT(0.5, 0.25, -0.375))

// Accessed on a condition; one end is the smaller of two.
APART void forces(double *work, const double *w, int n, int m, int behind) {
  double *a = work, *b = work + behind;
  int end = n < m ? n : m;
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < end; ++i)
      for (int j = 0; j < n; ++j)
        if (i != j)
          b[i] += w[i] * a[j] * a[j];
    for (int i = 0; i < end; ++i)
      a[i] += 0.5 * b[i];
  }
}
void pushed(const double *in, double *out) {
  for (int behind = 0; behind < 5; ++behind)
    for (int m = 2; m < 4; ++m) {
      double block[8];
      for (int i = 0; i < 8; ++i)
        block[i] = in[i % 3] - 0.125 * i;
      forces(block, in, 3, m, behind);
      for (int i = 0; i < 8; ++i)
        out[16 * behind + 8 * (m - 2) + i] = block[i];
    }
}
ADZE_TEST_MAP(pushed, 3, 80, ADZE_AT(0.5, 0.25, -0.375))

// A row that is read again and again, and overwritten by the last of its
// readers.
APART double last(double *a, const double *w, int n) {
  double s = 0;
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < n; ++i) {
      double r = 0;
      for (int j = 0; j < n; ++j)
        r += w[j] * a[j] * a[j];
      a[i] = 0.5 * r;
      s += r * w[i];
    }
  return s;
}
double overwritten(const double *x, int n) {
  double a[3];
  for (int i = 0; i < 3; ++i)
    a[i] = x[i] * x[i];
  return last(a, x, n);
}
ADZE_TEST_ARRAY(overwritten, 3, ADZE_AT(0.5, 0.25, -0.75))
