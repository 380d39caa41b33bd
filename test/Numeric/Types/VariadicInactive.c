// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's variadic function on strings and numbers, and snprintf of active
// values, beside active arithmetic.
#include "check.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int total(const char *kinds, ...) {
  va_list a;
  va_start(a, kinds);
  int n = 0;
  for (; *kinds; ++kinds) {
    if (*kinds == 's')
      n += (int)strlen(va_arg(a, const char *));
    else
      n += va_arg(a, int);
  }
  va_end(a);
  return n;
}

double labels(double x, double y) {
  char text[64];
  double p = x * y;
  snprintf(text, sizeof text, "%s %d %.0f", "label", 3, p * 0);
  if (strlen(text) < 5)
    return 0;
  return p * total("sis", "ab", 4, "cde") * x;
}

ADZE_TEST_SCALAR2(labels, ADZE_AT(0.9, 1.1, -0.7, 0.3))
