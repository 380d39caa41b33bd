// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: vectorized
// One factorization by columns, with counters of all widths: loops whose bounds
// are counters of other loops.
#include "check.h"
#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

constexpr int Size = 6;

/// Columns behind each other, on the heap; what is right of the diagonal stays.
template <class I> double factored(const double *m, I n) {
  double *a = static_cast<double *>(malloc(n * n * sizeof(double)));
  for (I j = 0; j < n; ++j)
    for (I i = 0; i < n; ++i)
      a[i + j * n] = 0.1 * (m[i + j * n] + m[j + i * n]) + (i == j ? n : 0);
  for (I j = 0; j < n; ++j) {
    const double d = std::sqrt(a[j + j * n]);
    a[j + j * n] = d;
    for (I i = j + 1; i < n; ++i)
      a[i + j * n] /= d;
    for (I k = j + 1; k < n; ++k)
      for (I i = k; i < n; ++i)
        a[i + k * n] -= a[i + j * n] * a[k + j * n];
  }
  double s = 0;
  for (I j = 0; j < n; ++j)
    s += 2 * std::log(a[j + j * n]) + a[n - 1 + j * n];
  free(a);
  return s;
}

template <class I> void whole(const double *x, double *y) {
  y[0] = factored<I>(x, Size);
  y[1] = factored<I>(x, 1);
  y[2] = factored<I>(x + 3, 2);
}

/// Rows of a vector, upwards, downwards, and a loop that is left in between.
template <class I> void rows(const double *x, double *y) {
  const I n = Size;
  std::vector<double> a(x, x + n * n);
  for (I k = 0; k < n; ++k) {
    const double l = a[k * n + k];
    for (I i = k; i < n; ++i)
      a[i * n + k] = a[i * n + k] * l + 0.1 * a[k * n + i];
  }
  for (I k = n - 1; k > 0; --k)
    for (I i = n - 1; i >= k; --i)
      a[(k - 1) * n + i] += a[k * n + i] * a[i * n + k - 1];
  for (I k = 0; k < n; ++k) {
    I i = k;
    do {
      a[k * n + i] = std::sin(a[k * n + i]) * a[i * n + i];
      if (a[k * n + i] > 0.9)
        break;
    } while (++i < n);
  }
  for (I k = 0; k < n; ++k) {
    y[k] = 0;
    for (I i = 0; i < n; ++i)
      y[k] += (i + 1) * a[k * n + i];
  }
}

/// Rows packed behind each other, in place, from above and from below: what is
/// right of a diagonal does not exist.
template <class I> I packed(I i, I j) { return i * (i + 1) / 2 + j; }
template <class I> void packedRows(const double *x, double *y) {
  const I n = Size;
  std::vector<double> a(x, x + n * (n + 1) / 2);
  for (I i = 0; i < n; ++i)
    a[packed<I>(i, i)] += 3;
  for (I i = 0; i < n; ++i)
    for (I j = 0; j <= i; ++j) {
      double sum = a[packed<I>(i, j)];
      for (I k = 0; k < j; ++k)
        sum -= a[packed<I>(i, k)] * a[packed<I>(j, k)];
      a[packed<I>(i, j)] = i == j ? std::sqrt(sum) : sum / a[packed<I>(j, j)];
    }
  for (I i = n; i-- > 1;)
    for (I j = 0; j < i; ++j)
      a[packed<I>(i - 1, j)] *= a[packed<I>(i, j)] + 0.3 * a[packed<I>(i, i)];
  // Halves that are cut off: two rows at one place.
  for (I i = 1; i < n; ++i)
    a[i * i / 2] *= a[i / 2] + 0.5;
  for (I k = 0; k < n; ++k) {
    y[k] = 0;
    for (I j = 0; j <= k; ++j)
      y[k] += (j + 1) * a[packed<I>(k, j)];
  }
}

/// The bound is one that a counter may be beyond at first.
void beyond(const double *x, double *y) {
  for (int i = 0; i < Size; ++i)
    y[i] = x[i];
  for (int m = -2; m < 4; ++m)
    for (int k = 0; k < Size; ++k) {
      int i = k;
      do
        y[i] = 0.9 * y[i] * y[k] + 0.1;
      while (++i < m);
    }
}

void ofInt(const double *x, double *y) { whole<int>(x, y); }
void ofUnsigned(const double *x, double *y) { whole<unsigned>(x, y); }
void ofLong(const double *x, double *y) { whole<long>(x, y); }
void ofShort(const double *x, double *y) { whole<short>(x, y); }
void rowsOfInt(const double *x, double *y) { rows<int>(x, y); }
void rowsOfLong(const double *x, double *y) { rows<long>(x, y); }
void rowsOfShort(const double *x, double *y) { rows<short>(x, y); }
void packedInt(const double *x, double *y) { packedRows<int>(x, y); }
void packedUnsigned(const double *x, double *y) { packedRows<unsigned>(x, y); }
void packedLong(const double *x, double *y) { packedRows<size_t>(x, y); }

} // namespace

#define POINT                                                                  \
  .31, -.2, .43, .17, -.6, .25, .8, .12, -.35, .47, .05, .66, -.14, .29, .58,  \
      .33, -.41, .22, .71, .09, -.27, .38, .54, .19, .62, -.08, .45, .36,      \
      -.52, .11, .24, .73, -.3, .48, .16, .57
ADZE_TEST_MAP(ofInt, 36, 3, ADZE_AT(POINT))
ADZE_TEST_MAP(ofUnsigned, 36, 3, ADZE_AT(POINT))
ADZE_TEST_MAP(ofLong, 36, 3, ADZE_AT(POINT))
ADZE_TEST_MAP(ofShort, 36, 3, ADZE_AT(POINT))
ADZE_TEST_MAP(rowsOfInt, 36, Size, ADZE_AT(POINT))
ADZE_TEST_MAP(rowsOfLong, 36, Size, ADZE_AT(POINT))
ADZE_TEST_MAP(rowsOfShort, 36, Size, ADZE_AT(POINT))
ADZE_TEST_MAP(packedInt, 36, Size, ADZE_AT(POINT))
ADZE_TEST_MAP(packedUnsigned, 36, Size, ADZE_AT(POINT))
ADZE_TEST_MAP(packedLong, 36, Size, ADZE_AT(POINT))
ADZE_TEST_MAP(beyond, 6, Size, ADZE_AT(.31, .2, .43, .17, .6, .25))
