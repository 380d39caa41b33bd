// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of doubles, floats, numbers and a pointer copied word by word as
// 64-bit integers.
// ADZE: may-refuse=O0,O0g,O0clang
#include "check.h"
#include <stdint.h>
#include <string.h>

struct record {
  double a;
  float b, c;
  int n, m;
  const double *p;
};

static void words(void *to, const void *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t w;
    memcpy(&w, (const char *)from + i, 8);
    memcpy((char *)to + i, &w, 8);
  }
}

void copies(const double *x, double *y) {
  struct record r = {x[0] * x[1], 0.5f, 2.0f, 3, 4, x + 1}, s;
  words(&s, &r, sizeof r);
  y[0] = s.a * s.p[1] * s.n;
  y[1] = s.a * (double)s.b * (double)s.c * s.p[0] * s.m;
}

ADZE_TEST_MAP(copies, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
