// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message of bytes: an integer, floats and doubles packed and unpacked by
// memcpy.
#include "check.h"
#include <string.h>

static char *put(char *at, const void *from, size_t n) {
  memcpy(at, from, n);
  return at + n;
}
static const char *get(const char *at, void *to, size_t n) {
  memcpy(to, at, n);
  return at + n;
}

void message(const double *x, double *y) {
  char raw[64];
  int kind = 2;
  double a = x[0] * x[1], p[2] = {x[1] * x[2], x[0] - x[2]};
  char *end = put(raw, &kind, sizeof kind);
  end = put(end, &a, sizeof a);
  put(end, p, sizeof p);
  int k;
  double b, q[2];
  const char *at = get(raw, &k, sizeof k);
  at = get(at, &b, sizeof b);
  get(at, q, sizeof q);
  y[0] = b * q[0] * k;
  y[1] = q[1] * q[1];
}

ADZE_TEST_MAP(message, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
