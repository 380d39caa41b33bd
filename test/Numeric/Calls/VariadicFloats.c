// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: skip-unless=arch:x86_64
// Floats, structures and pointers in the variable part: read here, behind a
// call that is handed the list, from a copy of the list, in a loop and in a
// recursion.
#include "check.h"
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) static double weighted(int n, ...) {
  va_list a;
  va_start(a, n);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double v = va_arg(a, double);
    sum += v * v * (i + 1);
  }
  va_end(a);
  return sum;
}

struct point {
  double x, y;
};
struct large {
  double a[4];
  int k;
};
struct narrow {
  float u, v;
};

__attribute__((noinline)) static double listed(const char *kinds, va_list a) {
  double product = 1;
  for (; *kinds; ++kinds)
    switch (*kinds) {
    case 'd':
      product *= va_arg(a, double);
      break;
    case 'i':
      product *= va_arg(a, int);
      break;
    case 'p':
      product *= *va_arg(a, const double *);
      break;
    case 'l':
      product *= (double)va_arg(a, long double);
      break;
    case 's': {
      struct point p = va_arg(a, struct point);
      product *= p.x + 2 * p.y;
      break;
    }
    case 'b': {
      struct large b = va_arg(a, struct large);
      product *= b.a[1] * b.k;
      break;
    }
    default: {
      struct narrow f = va_arg(a, struct narrow);
      product *= (double)(f.u * f.v);
    }
    }
  return product;
}

__attribute__((noinline)) static double kinds(const char *kinds, ...) {
  va_list a, copy;
  va_start(a, kinds);
  va_copy(copy, a);
  double value = listed(kinds, a);
  value += va_arg(copy, double);
  va_end(copy);
  va_end(a);
  return value;
}

// Calls itself with fewer.
__attribute__((noinline)) static double least(int n, ...) {
  va_list a;
  va_start(a, n);
  double x = va_arg(a, double), y = n > 1 ? va_arg(a, double) : 0;
  double z = n > 2 ? va_arg(a, double) : 0;
  va_end(a);
  return n == 1 ? x * x : x * least(n - 1, y, z);
}

__attribute__((noinline)) static void note(char *text, int size,
                                           const char *format, ...) {
  va_list a;
  va_start(a, format);
  vsnprintf(text, size, format, a);
  va_end(a);
}

void variadic_floats(const double *x, double *y) {
  char text[64];
  struct point p = {x[0], x[1]};
  struct large b = {{x[2], x[3], 1, 2}, 3};
  struct narrow f = {2, 0.5f};
  y[0] = weighted(3, x[0], x[1] * x[2], x[3]);
  for (int i = 0; i < 3; ++i)
    y[0] += weighted(2, x[i], y[0]);
  note(text, sizeof text, "%d: %g", 1, x[1]);
  y[1] = kinds("dispb", x[3], 2, p, &x[2], b) + (text[0] == '1');
  y[1] += kinds("dldddddddddf", x[0], (long double)x[1], 1., x[2], 1., 2., x[3],
                1., 1., x[0], 2., f);
  y[2] = least(3, x[0], x[1], x[2]);
}

ADZE_TEST_MAP(variadic_floats, 4, 3, ADZE_AT(0.9, -0.7, 0.6, 1.2))
