// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over blocks, of which the last one may be shorter, with counters of
// several widths: sizes below, at and above multiples of a block; blocks that
// overlap, and that read beyond their ends.
// ADZE: vectorized
#include "check.h"
#include <math.h>

enum { Size = 3, Most = 8 };

// Unknown to the optimizer.
static volatile int given = Most;

#define FACTOR(NAME, INT, END)                                                                     \
  static double NAME(double *a, INT n) {                                                           \
    for (INT b = 0; b < n; b += Size) {                                                            \
      INT e = b + Size;                                                                            \
      END;                                                                                         \
      for (INT j = b; j < e; ++j) {                                                                \
        double s = a[j * n + j];                                                                   \
        for (INT k = b; k < j; ++k)                                                                \
          s -= a[j * n + k] * a[j * n + k];                                                        \
        a[j * n + j] = sqrt(s);                                                                    \
        for (INT i = j + 1; i < n; ++i) {                                                          \
          s = a[i * n + j];                                                                        \
          for (INT k = b; k < j; ++k)                                                              \
            s -= a[i * n + k] * a[j * n + k];                                                      \
          a[i * n + j] = s / a[j * n + j];                                                         \
        }                                                                                          \
      }                                                                                            \
      for (INT i = e; i < n; ++i)                                                                  \
        for (INT j = e; j <= i; ++j) {                                                             \
          double s = a[i * n + j];                                                                 \
          for (INT k = b; k < e; ++k)                                                              \
            s -= a[i * n + k] * a[j * n + k];                                                      \
          a[i * n + j] = s;                                                                        \
        }                                                                                          \
    }                                                                                              \
    double r = 0;                                                                                  \
    for (INT i = 0; i < n; ++i)                                                                    \
      r += log(a[i * n + i]) + 0.1 * a[i * n];                                                     \
    return r;                                                                                      \
  }
FACTOR(choice, long, e = e < n ? e : n)
FACTOR(branch, int, if (e > n) e = n)
FACTOR(sizes, unsigned long, e = e < n ? e : n)
FACTOR(unsigneds, unsigned, if (e > n) e = n)

static void fill(double *a, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = x[i % 5] * x[(j + 2) % 5] + (i == j ? 6 : 0);
}

#define EACH(NAME, FACTORED)                                                                       \
  void NAME(const double *x, double *y) {                                                          \
    double a[Most * Most];                                                                         \
    for (int n = 0, end = given; n <= end; ++n) {                                                  \
      fill(a, x, n);                                                                               \
      y[n] = FACTORED(a, n);                                                                       \
    }                                                                                              \
  }                                                                                                \
  ADZE_TEST_MAP(NAME, 5, Most + 1, ADZE_AT(0.5, -0.2, 0.3, 0.8, -0.4))
EACH(long_choice, choice)
EACH(int_branch, branch)
EACH(size_choice, sizes)
EACH(unsigned_branch, unsigneds)

/// One number of the next block, and blocks that overlap.
#define WALKED(NAME, INT, OVER)                                                                    \
  void NAME(const double *x, double *y) {                                                          \
    double a[3 * Most];                                                                            \
    for (INT n = 0, end = given; n <= end; ++n) {                                                  \
      for (INT i = 0; i < 3 * Most; ++i)                                                           \
        a[i] = x[i % 5] + 0.1 * (double)i;                                                         \
      for (INT t = 0; t < 2; ++t)                                                                  \
        for (INT b = 0; b < n; b += Size) {                                                        \
          const INT e = b + Size + OVER < n ? b + Size + OVER : n;                                 \
          for (INT i = b; i < e; ++i)                                                              \
            a[i] = sin(a[i + 1]) * a[i] + 0.5 * a[b] * a[e];                                       \
          for (INT i = e; i < n; ++i)                                                              \
            a[i + n] += a[i] * a[b];                                                               \
        }                                                                                          \
      y[n] = 0;                                                                                    \
      for (INT i = 0; i < 3 * Most; ++i)                                                           \
        y[n] += a[i] * (1 + (double)i);                                                            \
    }                                                                                              \
  }                                                                                                \
  ADZE_TEST_MAP(NAME, 5, Most + 1, ADZE_AT(0.5, -0.2, 0.3, 0.8, -0.4))
WALKED(beyond_long, long, 0)
WALKED(beyond_int, int, 0)
WALKED(overlapping_long, long, 1)
WALKED(overlapping_int, int, 2)
