// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops run no time, once, and up to the brink of each chunk of the tape and one further: with
// counts known on entry and not known, left in two places, inside each other, with a call
// that has a tape. Forward over reverse of a loop whose tape grows.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>

static const int lengths[] = {0, 1, 2, 15, 16, 17, 47, 48, 49, 111, 112, 113, 1000, 70000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

// Each f(x, n) maps x by n times step(), so the derivative is a product. A map of the circle
// onto itself, so that the product neither vanishes nor explodes.
static double step(double x) { return x + 0.1 * sin(x) + 0.7; }
static double slope(double x) { return 1 + 0.1 * cos(x); }
static double expected(double x, int n) {
  double d = 1;
  for (int i = 0; i < n; ++i) {
    d *= slope(x);
    x = step(x);
  }
  return d;
}

double known(double x, int n) {
  for (int i = 0; i < n; ++i)
    x = step(x);
  return x;
}

// The count is in memory, which the loop may change.
static int left;
double unknown(double x, int n) {
  left = n;
  while (left > 0) {
    x = step(x);
    left -= 1 + (x > 1e30);
  }
  return x;
}

double twoExits(double x, int n) {
  int i = 0;
  for (left = 2 * n;; --left) {
    if (i == n)
      return x;
    if (left < 0)
      break;
    x = step(x);
    ++i;
  }
  return 0;
}

// 16 * 17 / 2 iterations of the inner loop for n = 136.
double triangle(double x, int n) {
  for (int i = 0; n > 0; ++i)
    for (int j = 0; j <= i && n > 0; ++j, --n)
      x = step(x);
  return x;
}

double inside(double x, int n) {
  int outer = n / 20;
  for (int i = 0; i < outer; ++i) {
    left = 20;
    while (left > 0) {
      x = step(x);
      left -= 1 + (x > 1e30);
    }
  }
  for (int i = 20 * outer; i < n; ++i)
    x = step(x);
  return x;
}

__attribute__((noinline)) static double steps(double x, int n) {
  double kept[3];
  for (int i = 0; i < n; ++i) {
    kept[i] = x;
    x = step(kept[i]);
  }
  return x;
}
double calls(double x, int n) {
  left = n;
  while (left > 0) {
    int now = left < 3 ? left : 3;
    x = steps(x, now);
    left -= now + (x > 1e30);
  }
  return x;
}

// Several values of different size kept in one iteration.
double several(double x, int n) {
  float other = 1;
  left = n;
  while (left > 0) {
    double before = x;
    if (left % 3 == 0) {
      other = sinf(other);
      x = step(before) * other / other;
    } else {
      x = step(before);
    }
    left -= 1 + (x > 1e30);
  }
  return x;
}

double rectangle(double x, int n) {
  int rows = n % 7 == 0 ? 7 : n % 2 == 0 ? 2 : 1;
  int columns = n / rows;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      x = step(x);
  return x;
}

#if ADZE_REVERSE
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

#define LENGTHS_OF(f)                                                                       \
  static double gradient_of_##f(double x, int n) {                                          \
    return __enzyme_autodiff((void *)f, x, n);                                              \
  }                                                                                         \
  ADZE_TEST_REVERSE(f##_lengths) {                                                          \
    for (int k = 0; k < LENGTHS; ++k)                                                       \
      adze_near(#f, gradient_of_##f(0.4, lengths[k]), expected(0.4, lengths[k]), 1e-9);     \
  }

LENGTHS_OF(known)
LENGTHS_OF(unknown)
LENGTHS_OF(twoExits)
LENGTHS_OF(triangle)
LENGTHS_OF(inside)
LENGTHS_OF(calls)
LENGTHS_OF(several)
LENGTHS_OF(rectangle)

// The derivative of the expected product, with x as a dual number.
static double second(double x, int n) {
  double d = 1, dx = 1, dd = 0;
  for (int i = 0; i < n; ++i) {
    dd = dd * slope(x) + d * -0.1 * sin(x) * dx;
    d *= slope(x);
    dx *= slope(x);
    x = step(x);
  }
  return dd;
}
ADZE_TEST_REVERSE(second_derivative) {
  for (int k = 0; k < LENGTHS - 1; ++k)
    adze_near("second", __enzyme_fwddiff((void *)gradient_of_unknown, 0.4, 1.0, lengths[k]),
              second(0.4, lengths[k]), 1e-9);
}
#endif
